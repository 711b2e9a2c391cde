"""Two agents on common deals, beside scipy's tests."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.results.comparison import (
    ExportComparison,
    compare,
    games_for_half_width,
    games_to_detect,
    sentence,
)

SCORES = st.lists(
    st.tuples(st.integers(0, 25), st.integers(0, 25)), min_size=3, max_size=60
).filter(lambda pairs: len({a - b for a, b in pairs}) > 1)


def compared(
    pairs: Sequence[tuple[int, int]], *, lower_is_better: bool = False
) -> ExportComparison:
    a, b = (dict(enumerate(each)) for each in zip(*pairs, strict=True))
    return compare(a, b, lower_is_better=lower_is_better)


@given(SCORES)
def test_the_interval_is_that_of_the_paired_t_test(
    scipy: ModuleType, pairs: list[tuple[int, int]]
) -> None:
    found = compared(pairs).difference
    a, b = zip(*pairs, strict=True)
    expected = scipy.stats.ttest_rel(a, b).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.slow
@given(SCORES)
def test_the_sign_test_is_the_exact_binomial_one(
    scipy: ModuleType, pairs: list[tuple[int, int]]
) -> None:
    found = compared(pairs).difference
    if found.wins + found.losses:
        expected = scipy.stats.binomtest(found.wins, found.wins + found.losses).pvalue
        assert found.sign_p == pytest.approx(expected)


@given(SCORES)
def test_the_saving_follows_from_the_correlation(pairs: list[tuple[int, int]]) -> None:
    found = compared(pairs)
    a, b = (np.array(each) for each in zip(*pairs, strict=True))
    assert found.sd is not None
    assert found.sd == pytest.approx(np.std(a - b, ddof=1))
    assert found.saving == pytest.approx((np.var(a) + np.var(b)) / np.var(a - b))
    if found.correlation is not None:
        assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])


def test_games_of_one_deal_are_compared_together() -> None:
    a = {("deal", 0): 9, ("deal", 1): 5, ("other", 0): 8, ("other", 1): 6}
    b = {("deal", 0): 4, ("deal", 1): 8, ("other", 0): 8, ("other", 1): 2}
    found = compare(a, b, deal_of=lambda game: game[0])
    assert (found.difference.n, found.difference.mean) == (2, 1.5), "1 and 2 points a game"
    assert found.sd == pytest.approx(np.std([1, 2], ddof=1))
    del b["other", 1]
    rest = compare(a, b, deal_of=lambda game: game[0])
    assert (rest.difference.n, rest.left_out) == (1, 1)


def test_only_deals_that_both_played_count() -> None:
    found = compare({0: 9, 1: 8, 2: 7}, {1: 7, 2: 5, 3: 0})
    assert (found.difference.n, found.difference.mean, found.left_out) == (2, 1.5, 2)


def test_an_agent_is_called_better_only_if_the_interval_excludes_0() -> None:
    assert compared([(5, 4), (6, 4), (7, 5), (8, 7)]).better is True
    assert compared([(4, 5), (4, 6), (5, 7), (7, 8)]).better is False
    assert compared([(5, 4), (4, 5), (6, 4)]).better is None
    assert compared([(5, 4), (6, 4), (7, 5), (8, 7)], lower_is_better=True).better is False


def test_the_sentence_has_difference_and_interval_as_far_as_there_are_any() -> None:
    found = compared([(5, 4), (6, 4), (7, 5), (8, 7)])
    assert sentence(found, a="v7", b="v6") == (
        "v7 is +1.50 ± 0.92 over v6 on 4 common deals: better."
    )
    assert sentence(compared([(5, 4), (4, 6), (6, 4)]), a="v7", b="v6").endswith(
        "over v6 on 3 common deals: that may be chance."
    )
    found = compared([(5, 4), (6, 4), (7, 5), (8, 7)], lower_is_better=True)
    assert sentence(found, a="v7", b="v6").endswith("on 4 common deals: worse.")
    assert sentence(compare({0: 1}, {1: 1}), a="v7", b="v6") == "v7 and v6 have no deals in common."
    assert sentence(compare({1: 3}, {1: 1}), a="v7", b="v6") == (
        "v7 is +2.00 over v6 on 1 common deal: too few for an interval."
    )


@given(st.floats(0.1, 20), st.floats(0.05, 5))
def test_the_number_of_games_for_a_half_width_is_about_the_least(
    scipy: ModuleType, sd: float, wanted: float
) -> None:
    games = games_for_half_width(sd, wanted)
    reached = scipy.stats.t.ppf(0.975, games - 1) * sd / games**0.5
    assert reached <= wanted * (1 + 1e-6)
    fewer = round(games * 0.99) - 2
    if fewer > 2:
        assert scipy.stats.t.ppf(0.975, fewer - 1) * sd / fewer**0.5 > wanted


@pytest.mark.slow
def test_games_to_detect_have_the_power(scipy: ModuleType) -> None:
    sd, difference = 2.0, 0.3
    games = games_to_detect(sd, difference)
    luck = np.random.default_rng(1)
    draws = luck.normal(difference, sd, (4000, games))
    tests = scipy.stats.ttest_1samp(draws, 0, axis=1).pvalue
    assert np.mean(tests < 0.05) == pytest.approx(0.8, abs=0.02)


def test_a_half_width_or_difference_of_0_is_refused() -> None:
    with pytest.raises(ValueError, match="must be positive"):
        games_for_half_width(1, 0)
    with pytest.raises(ValueError, match="no number of games"):
        games_to_detect(1, 0)
    assert games_for_half_width(0, 0.1) == 2


@pytest.mark.parametrize("scores", [[3, 7, 5], [4, 4, 4], [6]])
def test_equal_scores_are_only_called_equal(scores: list[int]) -> None:
    found = compared([(score, score) for score in scores])
    assert found.saving is None
    deals = f"{len(scores)} common deal{'s' * (len(scores) > 1)}"
    assert sentence(found, a="v7", b="v6") == f"v7 and v6 scored the same on {deals}."


def test_a_constant_lead_has_no_saving_either() -> None:
    assert compared([(4, 3), (8, 7), (2, 1)]).saving is None
