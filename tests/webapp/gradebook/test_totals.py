"""Totals of a course: weights, the lowest left out, and what does not count yet."""

from decimal import Decimal
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.every import every
from webapp.grading.gradebook.course import Result, total_of


def result(points: int | None, weight: int = 1, out_of: int = 100) -> Result:
    worth = None if points is None else Decimal(points)
    return Result(points=worth, out_of=Decimal(out_of), weight=Decimal(weight))


@every(
    ("results", "drops", "percent"),
    [
        ([], 1, None),
        ([result(None)], 0, None),
        ([result(80), result(None)], 0, "80.00"),
        ([result(80), result(50)], 0, "65.00"),
        ([result(80, weight=3), result(40)], 0, "70.00"),
        ([result(80), result(50), result(20)], 1, "65.00"),
        ([result(10), result(20)], 5, "20.00"),
        ([result(45, out_of=50), result(90)], 0, "90.00"),
        ([result(110)], 0, "110.00"),
        ([result(80), result(0, weight=0)], 1, "80.00"),
        ([result(5, out_of=0), result(70)], 0, "70.00"),
        ([result(1, out_of=3)], 0, "33.33"),
    ],
)
def test_a_total_is_the_weighted_mean_without_the_lowest(
    results: list[Result], drops: int, percent: str | None
) -> None:
    assert total_of(results, drops).percent == (None if percent is None else Decimal(percent))


@given(st.lists(st.integers(0, 120), min_size=1, max_size=8), st.integers(0, 9))
def test_leaving_out_the_lowest_never_harms_with_equal_weights(
    points: list[int], drops: int
) -> None:
    results = [result(each) for each in points]
    total = total_of(results, drops)
    assert len(total.dropped) == min(drops, len(points) - 1)
    kept, all_of = total.percent, total_of(results, 0).percent
    assert kept is not None
    assert all_of is not None
    assert kept >= all_of


def test_with_other_weights_what_lowers_the_total_most_is_left_out() -> None:
    results = [result(50, weight=1), result(60, weight=3), result(90, weight=2)]
    total = total_of(results, 1)
    assert total.dropped == {1}
    assert total.percent == Decimal("76.67")  # without the lowest percentage: 72.00


RESULTS = st.builds(result, st.integers(0, 120), st.integers(1, 6), st.sampled_from([40, 100]))


@given(st.lists(RESULTS, min_size=1, max_size=7), st.integers(0, 7))
def test_no_other_choice_of_what_to_leave_out_is_better_for_the_student(
    results: list[Result], drops: int
) -> None:
    total = total_of(results, drops)
    left_out = min(drops, len(results) - 1)
    assert len(total.dropped) == left_out
    kept_by_choice = combinations(results, len(results) - left_out)
    best = max(total_of(kept, 0).percent or Decimal(0) for kept in kept_by_choice)
    assert total.percent == best
    kept = [each for at, each in enumerate(results) if at not in total.dropped]
    assert total_of(kept, 0).percent == best
