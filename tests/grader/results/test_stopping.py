"""Stopping early without breaking the interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.results.figures import FEWEST, anytime_interval, stopped_after
from tests.bench.tournaments import looked_at

SCORES = [18 + (7 * index) % 5 for index in range(1000)]


def test_an_evaluation_stops_at_the_first_number_of_games_whose_interval_is_narrow() -> None:
    found = stopped_after(dict(enumerate(SCORES)), half_width=0.3, most=1000)
    assert found is not None
    assert found.half_width <= 0.3
    assert FEWEST < found.n < 1000
    shorter = stopped_after(dict(enumerate(SCORES)), half_width=0.3, most=1000)
    assert shorter == found


@pytest.mark.slow
@given(st.integers(0, 999), st.randoms(use_true_random=False))
def test_the_stop_depends_neither_on_later_games_nor_on_their_order(
    extra: int, random: object
) -> None:
    found = stopped_after(dict(enumerate(SCORES)), half_width=0.3, most=1000)
    assert found is not None
    some = list(enumerate(SCORES))[: found.n + extra]
    random.shuffle(some)  # type: ignore[attr-defined]
    assert stopped_after(dict(some), half_width=0.3, most=1000) == found


def test_an_evaluation_goes_on_to_its_maximum_while_a_game_is_missing_or_scores_never_vary() -> (
    None
):
    scores = dict(enumerate(SCORES))
    del scores[60]
    assert stopped_after(scores, half_width=0.1, most=1000) is None
    found = stopped_after(dict(enumerate(SCORES)), half_width=0.0001, most=200)
    assert found is not None
    assert found.n == 200
    assert stopped_after(dict.fromkeys(range(100), 25), half_width=1, most=1000) is None


def test_no_interval_is_given_for_a_handful_of_games() -> None:
    with pytest.raises(ValueError, match="too few"):
        anytime_interval(FEWEST - 1, 0, 1, expected=1000)


def test_the_anytime_interval_is_at_best_half_as_wide_again_as_an_ordinary_one() -> None:
    reach = anytime_interval(1000, 0, 1, expected=1000).half_width
    assert reach * 1000**0.5 / 1.96 == pytest.approx(1.55, abs=0.01)


@pytest.mark.slow
def test_looking_after_every_game_finds_a_wrong_interval_in_at_most_5_of_100_agents() -> None:
    outcomes = looked_at(2000)
    assert outcomes["anytime"][0] <= 0.06, "with room for chance: standard error 0.5%"
    assert outcomes["ordinary"][0] > 0.3
