"""Days after a due date are days of the calendar; what they cost, at most; where they end."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.every import every
from webapp.base.timezones import clock_change
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import Deadline, Student, Terms, resolve
from webapp.teaching.courses.lateness import LatePolicy, PenaltyUnit, days_later
from webapp.teaching.courses.models import Assignment, Course, Enrolment
from webapp.teaching.courses.resolution import resolution_for

BERLIN = ZoneInfo("Europe/Berlin")
AUTUMN = datetime(2026, 10, 24, 20, 0, tzinfo=BERLIN)
"""The evening before clocks go back."""
SPRING = datetime(2026, 3, 28, 20, 0, tzinfo=BERLIN)
"""The evening before clocks go forward."""
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)


def clock(moment: datetime) -> str:
    return f"{moment.astimezone(BERLIN):%d %H:%M}"


def terms(due: datetime, **policy: object) -> Terms:
    return Terms(
        opens_at=due - timedelta(days=14),
        due_at=due.astimezone(UTC),
        policy=LatePolicy(**policy),  # type: ignore[arg-type]  # each test names its own fields
    )


def deadline(own: Terms, *, late_days: int = 0, time_percent: int = 100) -> Deadline:
    ada = Student(name="Ada", terms=own, late_days_left=late_days, time_percent=time_percent)
    return resolve(terms=own, students=[ada]).deadline


@pytest.mark.parametrize(("due", "end"), [(AUTUMN, "25 20:00"), (SPRING, "29 20:00")])
def test_a_late_day_ends_at_the_same_time_of_the_clock(due: datetime, end: str) -> None:
    resolved = deadline(terms(due, max_late_days=1), late_days=1)
    assert clock(resolved.ends_at) == clock(resolved.free_until) == end
    assert resolved.lateness(resolved.ends_at).late_days == 1
    assert not resolved.lateness(resolved.ends_at + SECOND).counts


@pytest.mark.parametrize("due", [AUTUMN, SPRING])
def test_a_penalty_by_day_is_by_the_clock_and_one_by_hour_is_not(due: datetime) -> None:
    by_day = deadline(terms(due, penalty_percent=Decimal(10)))
    next_day = days_later(due, 1, BERLIN)
    assert by_day.lateness(next_day).penalty_percent == 10
    assert by_day.lateness(next_day + SECOND).penalty_percent == 20
    hourly = terms(due, penalty_percent=Decimal(1), penalty_unit=PenaltyUnit.HOUR)
    hours = (next_day - due.astimezone(UTC)) / HOUR
    assert deadline(hourly).lateness(next_day).penalty_percent == Decimal(hours) != 24


@pytest.mark.parametrize(
    ("due", "end"),
    [
        (datetime(2026, 3, 28, 2, 30, tzinfo=BERLIN), "29 03:30"),  # there is no 2:30
        (datetime(2026, 10, 24, 2, 30, tzinfo=BERLIN), "25 02:30"),  # the second
    ],
)
def test_a_time_that_clocks_skip_or_repeat_is_read_as_the_later(due: datetime, end: str) -> None:
    ends_at = deadline(terms(due, max_late_days=1), late_days=1).ends_at
    assert clock(ends_at) == end
    assert ends_at - due.astimezone(UTC) == (25 if due.month == 10 else 24) * HOUR


def test_dates_in_the_courses_own_zone_are_compared_as_moments() -> None:
    second = datetime(2026, 10, 25, 2, 10, tzinfo=BERLIN, fold=1)
    own = Terms(opens_at=AUTUMN - DAY, due_at=second.replace(fold=0), policy=LatePolicy())
    assert not resolve(terms=own).deadline.lateness(second).counts


@given(
    minute=st.integers(0, 2 * 365 * 24 * 60),
    late=st.integers(1, 30 * 24 * 60),
    zone=st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC"]),
    late_days=st.integers(0, 5),
    unit=st.sampled_from(PenaltyUnit),
)
def test_each_day_begun_since_the_due_date_is_paid_for(
    minute: int, late: int, zone: str, late_days: int, unit: PenaltyUnit
) -> None:
    due = datetime(2026, 1, 1, tzinfo=UTC) + minute * MINUTE
    policy = LatePolicy(max_late_days=5, penalty_percent=Decimal(1), penalty_unit=unit)
    own = Terms(opens_at=due - DAY, due_at=due, policy=policy, zone=ZoneInfo(zone))
    at = due + late * MINUTE
    lateness = deadline(own, late_days=late_days).lateness(at)
    ends = [days_later(due, day, ZoneInfo(zone)) for day in range(33)]
    begun = next(day for day, end in enumerate(ends) if at <= end)
    assert lateness.late_days == min(begun, late_days)
    units = max(begun - late_days, 0)
    if unit == PenaltyUnit.HOUR:
        units = max(-(-(at - ends[lateness.late_days]) // HOUR), 0)
    assert lateness.penalty_percent == min(units, 100)


def test_lateness_costs_at_most_the_maximum_until_the_hard_end() -> None:
    own = terms(
        AUTUMN,
        penalty_percent=Decimal(20),
        max_penalty_percent=Decimal(50),
        hard_end_at=AUTUMN + 30 * DAY,
    )
    resolved = deadline(own)
    costs = [resolved.lateness(AUTUMN + days * DAY).penalty_percent for days in (1, 2, 3, 29)]
    assert costs == [20, 40, 50, 50]
    assert resolved.ends_at == AUTUMN + 30 * DAY


def test_an_accommodation_keeps_the_time_between_due_date_and_hard_end() -> None:
    own = terms(AUTUMN, penalty_percent=Decimal(1), hard_end_at=AUTUMN + 2 * DAY)
    usual, longer = deadline(own), deadline(own, time_percent=150)
    assert longer.due_at - usual.due_at == 7 * DAY
    assert longer.ends_at - longer.due_at == usual.ends_at - usual.due_at
    assert longer.lateness(longer.due_at + 2 * DAY).counts


def test_a_team_has_the_hard_end_of_the_member_with_an_accommodation() -> None:
    own = terms(AUTUMN, penalty_percent=Decimal(1), hard_end_at=AUTUMN + 2 * DAY)
    people = [
        Student(name="Ben", terms=own),
        Student(name="Ada", terms=own, time_percent=150),
    ]
    for students in (people, people[::-1]):
        resolved = resolve(terms=own, students=students).deadline
        assert resolved.ends_at - resolved.due_at == deadline(own).ends_at - deadline(own).due_at


# --- From the rows --------------------------------------------------------------------------------


def late_day_end(assignment: Assignment, user: User) -> str:
    return clock(resolution_for(user, assignment).deadline.ends_at)


def move(assignment: Assignment, due: datetime, **values: object) -> None:
    Course.objects.update(late_days=3)
    Assignment.objects.update(opens_at=due - 14 * DAY, due_at=due, **values)
    assignment.refresh_from_db()
    assignment.course.refresh_from_db()


def test_late_days_are_of_the_courses_calendar(assignment: Assignment, ada: User) -> None:
    move(assignment, AUTUMN, max_late_days=1)
    assert late_day_end(assignment, ada) == "25 20:00"


def test_an_assignment_with_the_earlier_rules_has_days_of_24_hours(
    assignment: Assignment, course: Course, ada: User
) -> None:
    hard_end = AUTUMN + 3 * DAY
    move(assignment, AUTUMN, max_late_days=1, has_plain_days=True, hard_end_at=hard_end)
    assert late_day_end(assignment, ada) == "25 19:00"
    Enrolment.objects.filter(user=ada).update(time_percent=110)
    resolved = resolution_for(ada, assignment).deadline
    assert resolved.policy.hard_end_at == hard_end
    move(assignment, AUTUMN, has_plain_days=False)
    resolved = resolution_for(ada, assignment).deadline
    assert resolved.policy.hard_end_at == hard_end + 14 * DAY / 10


# --- Warned of -----------------------------------------------------------------------------------


@every(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", datetime(2026, 10, 24, tzinfo=UTC), -1),
        ("Europe/Berlin", datetime(2026, 3, 28, tzinfo=UTC), 1),
        ("Australia/Lord_Howe", datetime(2026, 4, 4, tzinfo=UTC), -0.5),
        ("Europe/Berlin", datetime(2026, 6, 1, tzinfo=UTC), None),
        ("UTC", datetime(2026, 10, 24, tzinfo=UTC), None),
    ],
)
def test_a_change_of_clocks_is_found(zone: str, day: datetime, hours: float | None) -> None:
    change = clock_change(day, day + 2 * DAY, ZoneInfo(zone))
    assert (None if change is None else change.by / HOUR) == hours


def test_a_change_of_clocks_is_found_to_the_minute() -> None:
    change = clock_change(AUTUMN, AUTUMN + DAY, BERLIN)
    assert change is not None
    assert change.at == datetime(2026, 10, 25, 1, 0, tzinfo=UTC)
