"""Means over rounds, places and ranks."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.tournament.figures import Figure, figure, mean_over_rounds, places, ranks

INTERVALS = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 5)), min_size=1, max_size=12).map(
    lambda pairs: {
        number: Figure(value=value, low=value - reach, high=value + reach)
        for number, (value, reach) in enumerate(pairs)
    }
)


@given(st.lists(st.integers(0, 25), min_size=2, max_size=40).filter(lambda x: len(set(x)) > 1))
def test_with_one_game_a_round_the_interval_is_students(
    scipy: ModuleType, scores: list[int]
) -> None:
    found = mean_over_rounds([[score] for score in scores])
    expected = scipy.stats.ttest_1samp(scores, 0).confidence_interval()
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@given(st.lists(st.integers(0, 25), min_size=2, max_size=20), st.integers(1, 9))
def test_games_that_are_all_alike_of_a_round_tell_no_more_than_one(
    scores: list[int], games: int
) -> None:
    one = mean_over_rounds([[score] for score in scores])
    many = mean_over_rounds([[score] * games for score in scores])
    assert one is not None
    assert many is not None
    assert (many.value, many.low) == (pytest.approx(one.value), pytest.approx(one.low))


def test_one_round_gives_no_interval_and_no_round_gives_no_mean() -> None:
    found = mean_over_rounds([[3, 5]])
    assert found is not None
    assert (found.value, found.low, found.half_width) == (4, None, None)
    assert mean_over_rounds([]) is None
    assert figure(1.0, 0.5, 1).high is None


@given(INTERVALS)
def test_no_agent_ranks_above_a_significantly_better_one(figures: dict[int, Figure]) -> None:
    for lower_is_better in (False, True):
        rank = ranks(figures, lower_is_better=lower_is_better)
        for a, ours in figures.items():
            for b, theirs in figures.items():
                assert ours.low is not None
                assert ours.high is not None
                assert theirs.low is not None
                assert theirs.high is not None
                if (ours.high < theirs.low) if lower_is_better else (ours.low > theirs.high):
                    assert rank[a] < rank[b]
        assert min(rank.values()) == 1


@given(INTERVALS)
def test_places_are_the_order_of_values(figures: dict[int, Figure]) -> None:
    place = places(figures, lower_is_better=False)
    for a, ours in figures.items():
        for b, theirs in figures.items():
            assert (place[a] < place[b]) == (ours.value > theirs.value)


def test_an_agent_whose_interval_overlaps_the_best_shares_its_rank() -> None:
    figures = {
        0: Figure(value=20, low=19, high=21),
        1: Figure(value=19, low=17, high=19.5),
        2: Figure(value=18.5, low=18.4, high=18.6),
        3: Figure(value=3, low=None, high=None),
    }
    assert ranks(figures, lower_is_better=False) == {0: 1, 1: 1, 2: 2, 3: 1}
    assert places(figures, lower_is_better=False) == {0: 1, 1: 2, 2: 3, 3: 4}
    assert places(figures, lower_is_better=True) == {3: 1, 2: 2, 1: 3, 0: 4}
