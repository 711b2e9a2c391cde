"""Summaries, intervals and paired comparisons."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.results.statistics import (
    TurnTimes,
    binned,
    estimate,
    paired_difference,
    summarise,
    t_quantile,
    turn_times,
)
from tests.support.every import every

SCORES = st.lists(st.integers(0, 25), max_size=60)


def test_turn_times_are_nearest_ranks() -> None:
    times = turn_times(range(1000, 0, -1))
    assert times == TurnTimes(median=500, p99=990, slowest=1000)
    assert turn_times([7]) == TurnTimes(median=7, p99=7, slowest=7)
    assert turn_times([5, 6, 7]) == TurnTimes(median=6, p99=7, slowest=7)
    assert turn_times([]) is None


def test_a_few_scores_have_the_summary_worked_out_by_hand() -> None:
    summary = summarise([1, 2, 3, 4])
    assert (summary.n, summary.total, summary.mean) == (4, 10, 2.5)
    assert summary.sd == pytest.approx(1.2909944487)
    assert summary.standard_error == pytest.approx(0.6454972244)


def test_the_interval_is_that_of_students_t() -> None:
    summary = summarise([1, 2, 3, 4])
    assert summary.low == pytest.approx(2.5 - 3.182446305 * 0.6454972244)
    assert summary.high == pytest.approx(2.5 + 3.182446305 * 0.6454972244)
    assert summary.half_width == pytest.approx(3.182446305 * 0.6454972244)


def test_none_one_and_equal_scores_have_the_figures_that_there_are() -> None:
    summary = summarise([])
    assert summary.n == summary.lost == 0
    assert summary.mean is summary.sd is summary.low is summary.best is summary.half_width is None
    assert summary.histogram == ()
    summary = summarise([7])
    assert summary.mean == 7
    assert summary.sd is summary.standard_error is summary.low is summary.high is None
    summary = summarise([5, 5, 5])
    assert (summary.low, summary.high, summary.sd) == (5, 5, 0)


def test_a_summary_has_histogram_best_worst_and_lost_games() -> None:
    summary = summarise([25, 0, 7, 7, 0, 7])
    assert summary.histogram == ((0, 2), (7, 3), (25, 1))
    assert (summary.best, summary.worst, summary.lost) == (25, 0, 2)
    assert summarise([0, 3], lost_score=None).lost == 0
    assert summarise([0, 3], lost_score=3).lost == 1


@given(SCORES)
def test_order_of_games_does_not_matter(scores: Sequence[int]) -> None:
    assert summarise(scores) == summarise(sorted(scores))


@given(SCORES)
def test_histogram_holds_every_game(scores: Sequence[int]) -> None:
    summary = summarise(scores)
    assert sum(count for _, count in summary.histogram) == summary.n
    assert sum(score * count for score, count in summary.histogram) == summary.total


@every(
    ("degrees", "quantile"),  # from R: qt(.975, degrees), to ten places
    [
        (1, 12.7062047362),
        (2, 4.3026527297),
        (3, 3.1824463053),
        (10, 2.2281388520),
        (59, 2.0009953781),
        (60, 2.0002978221),
        (999, 1.9623414611),
        (10**9, 1.9599639869),
    ],
)
def test_quantiles_of_students_t_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert t_quantile(degrees) == pytest.approx(quantile, abs=5e-9)


def test_students_t_needs_a_degree_of_freedom() -> None:
    with pytest.raises(ValueError, match="at least 1 degree"):
        t_quantile(0)


def test_sign_test_is_exact_and_leaves_ties_out() -> None:
    difference = paired_difference([1] * 8 + [0] * 2 + [3] * 5, [0] * 8 + [1] * 2 + [3] * 5)
    assert (difference.wins, difference.losses, difference.ties) == (8, 2, 5)
    assert difference.sign_p == pytest.approx(2 * (1 + 10 + 45) / 1024)


def test_a_comparison_tells_equal_agents_certain_leads_and_no_games() -> None:
    difference = paired_difference([3, 4], [3, 4])
    assert (difference.mean, difference.sign_p) == (0, 1)
    difference = paired_difference([10, 20, 5], [9, 19, 4])
    assert (difference.mean, difference.low, difference.high) == (1, 1, 1)
    assert (difference.wins, difference.losses, difference.ties) == (3, 0, 0)
    difference = paired_difference([], [])
    assert difference.mean is difference.low is None
    assert difference.sign_p == 1
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        paired_difference([1, 2], [1])


@given(st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=40))
def test_a_comparison_the_other_way_round_has_the_opposite_sign(
    pairs: Sequence[tuple[int, int]],
) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    there, back = paired_difference(a, b), paired_difference(b, a)
    assert there.sign_p == back.sign_p
    assert there.mean == (None if back.mean is None else -back.mean)


def test_an_estimate_is_a_summary_of_values_scaled_down() -> None:
    found, plain = estimate([2, 4, 6, 8], scale=2), summarise([1, 2, 3, 4])
    assert (found.n, found.mean, found.low, found.high) == (
        4,
        plain.mean,
        pytest.approx(plain.low),
        pytest.approx(plain.high),
    )
    assert found.half_width == pytest.approx(plain.half_width)
    assert estimate([]).mean is None
    assert (estimate([3], scale=2).mean, estimate([3]).half_width) == (1.5, None)


def test_few_scores_have_a_bin_each_and_many_share_bins_of_a_round_width() -> None:
    assert [(each.label, each.count) for each in binned([(3, 2), (5, 1)], most=10)] == [
        ("3", 2),
        ("4", 0),
        ("5", 1),
    ]
    assert binned([], most=10) == ()
    bins = binned([(3, 2), (101, 1)], most=30, low=0)
    assert [each.label for each in bins[:2]] == ["0–4", "5–9"]
    assert len(bins) == 21
    assert sum(each.count for each in bins) == 3


@given(
    st.dictionaries(st.integers(-1300, 1300), st.integers(1, 9), min_size=1),
    st.integers(54, 80),
)
def test_bins_hold_every_game_once_and_are_not_too_many(counts: dict[int, int], most: int) -> None:
    bins = binned(counts.items(), most=most)
    assert sum(each.count for each in bins) == sum(counts.values())
    assert len(bins) <= most
    assert all(low.high + 1 == high.low for low, high in pairwise(bins))
