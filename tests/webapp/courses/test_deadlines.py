"""Due dates, the cost of lateness, and the upload that counts: to the second."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests.support.every import every
from webapp.teaching.courses.deadlines import (
    Candidate,
    Cause,
    Deadline,
    DeadlineRule,
    Student,
    Terms,
    resolve,
)
from webapp.teaching.courses.lateness import LatePolicy, PenaltyUnit

OPENS = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DUE = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def terms(due: datetime = DUE, section: str = "", **policy: object) -> Terms:
    return Terms(
        opens_at=OPENS,
        due_at=due,
        policy=LatePolicy(**policy),  # type: ignore[arg-type]  # each test names its own fields
        section=section,
    )


def deadline(*, late_days: int = 0, **policy: object) -> Deadline:
    own = terms(**policy)
    student = Student(name="Ada", terms=own, late_days_left=late_days)
    return resolve(terms=own, students=[student]).deadline


def upload(number: int, at: datetime, practice: float | None = None) -> Candidate:
    return Candidate(pk=100 + number, number=number, uploaded_at=at, practice=practice)


def test_without_a_policy_the_due_date_itself_is_the_last_moment() -> None:
    plain = deadline()
    assert plain.lateness(DUE).counts
    assert not plain.lateness(DUE + SECOND).counts


def test_within_the_grace_period_nothing_is_late() -> None:
    lenient = deadline(grace_minutes=15, penalty_percent=Decimal(10))
    late = lenient.lateness(DUE + 15 * MINUTE)
    assert (late.is_late, late.penalty_percent) == (False, 0)
    assert lenient.lateness(DUE + 15 * MINUTE + SECOND).penalty_percent == 10


@every(
    ("unit", "late", "percent"),
    [
        (PenaltyUnit.DAY, SECOND, 10),
        (PenaltyUnit.DAY, DAY, 10),
        (PenaltyUnit.DAY, DAY + SECOND, 20),
        (PenaltyUnit.HOUR, HOUR, 10),
        (PenaltyUnit.HOUR, 3 * HOUR + SECOND, 40),
    ],
)
def test_each_started_unit_costs_the_penalty(
    unit: PenaltyUnit, late: timedelta, percent: int
) -> None:
    policy = deadline(penalty_percent=Decimal(10), penalty_unit=unit)
    assert policy.lateness(DUE + late).penalty_percent == percent


def test_an_upload_that_would_be_worth_nothing_does_not_count() -> None:
    policy = deadline(penalty_percent=Decimal(40))
    assert policy.ends_at == DUE + 2 * DAY
    assert policy.lateness(DUE + 2 * DAY).penalty_percent == 80
    assert not policy.lateness(DUE + 2 * DAY + SECOND).counts


def test_late_days_come_before_the_penalty() -> None:
    policy = deadline(late_days=5, max_late_days=2, penalty_percent=Decimal(25))
    first, third = policy.lateness(DUE + HOUR), policy.lateness(DUE + 2 * DAY + HOUR)
    assert (first.late_days, first.penalty_percent) == (1, 0)
    assert (third.late_days, third.penalty_percent) == (2, 25)
    assert policy.free_until == DUE + 2 * DAY


def test_no_more_late_days_than_are_left() -> None:
    assert deadline(late_days=1, max_late_days=3).ends_at == DUE + DAY
    assert deadline(late_days=-1, max_late_days=3).ends_at == DUE


def test_a_team_has_as_many_late_days_as_the_member_with_the_fewest() -> None:
    own = terms(max_late_days=4)
    ada, ben = (Student(name=n, terms=own, late_days_left=d) for n, d in (("Ada", 3), ("Ben", 1)))
    assert resolve(terms=own, students=[ada, ben]).deadline.late_days == 1


@every("most", [30, 100])
def test_an_extension_beyond_the_hard_end_holds_and_is_no_longer_with_a_maximum(most: int) -> None:
    own = terms(
        penalty_percent=Decimal(20),
        max_penalty_percent=Decimal(most),
        hard_end_at=DUE + DAY,
        grace_minutes=5,
    )
    student = Student(name="Ada", terms=own, extended_due_at=DUE + 3 * DAY)
    assert resolve(terms=own, students=[student]).deadline.ends_at == DUE + 3 * DAY + HOUR / 12


def test_the_steps_say_why_a_due_date_is_what_it_is() -> None:
    own = terms(DUE + DAY, section="Tuesday")
    student = Student(
        name="Ada", terms=own, time_percent=150, extended_due_at=DUE + 9 * DAY, late_days_left=0
    )
    steps = resolve(terms=terms(), students=[student]).deadline.steps
    assert [(step.cause, step.due_at) for step in steps] == [
        (Cause.ASSIGNMENT, DUE),
        (Cause.SECTION, DUE + DAY),
        (Cause.ACCOMMODATION, DUE + DAY + 11 * DAY / 2),
        (Cause.EXTENSION, DUE + 9 * DAY),
    ]


def test_a_longer_time_ends_at_a_whole_minute_and_never_early() -> None:
    own = terms(OPENS + 7 * MINUTE)
    student = Student(name="Ada", terms=own, time_percent=110)
    assert resolve(terms=own, students=[student]).deadline.due_at == OPENS + 8 * MINUTE


def test_a_team_has_the_terms_of_the_member_whose_time_ends_last() -> None:
    strict, lenient = terms(), terms(DUE + DAY, section="B", penalty_percent=Decimal(5))
    people = [Student(name="Ada", terms=strict), Student(name="Ben", terms=lenient)]
    resolved = resolve(terms=strict, students=people).deadline
    assert resolved.due_at == DUE + DAY
    assert resolved.policy.penalty_percent == 5
    assert (resolved.steps[-1].cause, resolved.steps[-1].who) == (Cause.PARTNER, "Ben")


def test_of_equal_due_dates_a_team_has_the_policy_that_ends_last_whoever_joined_first() -> None:
    strict, lenient = terms(section="A"), terms(section="B", penalty_percent=Decimal(5))
    people = [Student(name="Ada", terms=strict), Student(name="Ben", terms=lenient)]
    for students in (people, people[::-1]):
        resolved = resolve(terms=strict, students=students).deadline
        assert resolved.policy.penalty_percent == 5


def test_an_extension_of_the_team_holds_for_staff_who_try_something_out_too() -> None:
    resolution = resolve(terms=terms(), team_extended_due_at=DUE + DAY)
    assert resolution.deadline.ends_at == DUE + DAY


def test_once_the_secret_was_revealed_nothing_counts_whatever_is_granted() -> None:
    student = Student(name="Ada", terms=terms(), extended_due_at=DUE + 9 * DAY)
    told = DUE + DAY
    resolved = resolve(terms=terms(), students=[student], closed_at=told).deadline
    assert resolved.ends_at == told


UPLOADS = [
    upload(1, DUE - DAY, 17.0),
    upload(2, DUE - HOUR, 19.0),
    upload(3, DUE, None),
    upload(4, DUE + SECOND, 24.0),
]


@every(
    ("rule", "chosen", "number"),
    [
        (DeadlineRule.LATEST, None, 3),
        (DeadlineRule.LATEST, 101, 3),
        (DeadlineRule.BEST, None, 2),
        (DeadlineRule.CHOICE, None, 3),
        (DeadlineRule.CHOICE, 101, 1),
        (DeadlineRule.CHOICE, 104, 3),
    ],
)
def test_the_assignment_says_which_upload_counts(
    rule: DeadlineRule, chosen: int | None, number: int
) -> None:
    resolution = resolve(terms=terms(), uploads=UPLOADS, rule=rule, chosen=chosen)
    assert resolution.counted is not None
    assert resolution.counted.number == number


def test_the_later_of_equally_good_uploads_counts() -> None:
    same = [upload(1, DUE - DAY, 18.0), upload(2, DUE - HOUR, 18.0)]
    counted = resolve(terms=terms(), uploads=same, rule=DeadlineRule.BEST).counted
    assert counted == same[1]


def test_points_are_rounded_half_up_to_a_cent() -> None:
    late = deadline(penalty_percent=Decimal("12.5")).lateness(DUE + HOUR)
    assert late.points(Decimal("98.12")) == Decimal("85.86")


POLICIES = st.builds(
    LatePolicy,
    grace_minutes=st.integers(0, 90),
    penalty_percent=st.sampled_from([Decimal(p) for p in (0, 1, 10, "33.3", 100)]),
    penalty_unit=st.sampled_from(PenaltyUnit),
    max_late_days=st.integers(0, 4),
    hard_end_at=st.none() | st.integers(0, 9).map(lambda days: DUE + days * DAY),
)


@given(policy=POLICIES, left=st.integers(0, 5), minutes=st.integers(-100, 20_000))
def test_lateness_never_pays_and_never_outlasts_the_end(
    policy: LatePolicy, left: int, minutes: int
) -> None:
    own = Terms(opens_at=OPENS, due_at=DUE, policy=policy)
    student = Student(name="Ada", terms=own, late_days_left=left)
    resolved = resolve(terms=own, students=[student]).deadline
    at = DUE + minutes * timedelta(minutes=1)
    now, later = resolved.lateness(at), resolved.lateness(at + HOUR)
    assert resolved.due_at <= resolved.free_until <= resolved.ends_at
    assert now.counts == (at <= resolved.ends_at)
    assert now.counts >= later.counts
    assert now.penalty_percent <= later.penalty_percent
    assert now.late_days <= later.late_days <= resolved.late_days
    assert not now.counts or now.penalty_percent < 100
