"""The five steps of an assignment's week, and the picture of the points so far."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from tests.support.every import every
from webapp.pages.evaluations.week import PointsChart, week_of
from webapp.pages.staff_tasks import Counts
from webapp.teaching.courses.models import Assignment, Course

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def steps(*, hours: int, revealed: bool = False, **numbers: int) -> list[tuple[str, str, str]]:
    """Return word, fact and state of each step, ``hours`` after the due date."""
    course = Course(timezone="UTC")
    assignment = Assignment(pk=1, course=course, due_at=NOON, max_late_days=0, grace_minutes=0)
    assignment.secret_revealed_at = NOON if revealed else None
    to_check = numbers.pop("to_check", 0)
    values = {name: Counter({1: number}) for name, number in ({"ready": 24} | numbers).items()}
    counts = Counts(students=0, **values)
    week = week_of(assignment, counts, to_check=to_check, at=NOON + timedelta(hours=hours))
    return [
        (step.words, step.fact, "done" if step.is_done else "now" if step.is_current else "later")
        for step in week
    ]


@every(
    ("hours", "numbers", "states"),
    [
        (-1, {}, "now later later later later"),
        (1, {"graded": 21, "under_way": 2}, "done now later later later"),
        (1, {"graded": 24, "under_way": 1}, "done now later later later"),
        (1, {"graded": 24, "to_check": 4, "hidden": 24}, "done done now later later"),
        (1, {"graded": 24, "hidden": 24}, "done done done now later"),
        (1, {"graded": 24, "to_check": 4}, "done done done done now"),
        (1, {"graded": 24, "revealed": True}, "done done done done done"),
    ],
)
def test_the_first_step_that_is_not_done_is_the_present_one(
    hours: int, numbers: dict[str, int], states: str
) -> None:
    assert [state for *_, state in steps(hours=hours, **numbers)] == states.split()


def test_each_step_shows_its_date_or_count() -> None:
    week = steps(hours=1, graded=21, under_way=2, to_check=4, hidden=21)
    assert [fact for _, fact, _ in week] == [
        "Wed 25 Nov, 12:00",
        "21 of 24 teams; 2 playing",
        "4 need a look",
        "21 teams held",
        "after the last deadline",
    ]


def test_points_have_a_column_for_each_value_and_a_square_for_each_team() -> None:
    chart = PointsChart(points=[Decimal(text) for text in ("0", "102", "102", "101.5")])
    assert chart.columns == [("0", 1), ("101.5", 1), ("102", 2)]
    assert chart.drawn().count("<rect") == 4
    assert chart.sentence == "4 graded teams, median 101.75, from 0 to 102."


def test_many_values_share_ten_columns() -> None:
    chart = PointsChart(points=[Decimal(number) for number in range(100)])
    assert chart.is_grouped
    assert [number for _, number in chart.columns] == [10] * 10
    assert chart.drawn().count("<rect") == 10
