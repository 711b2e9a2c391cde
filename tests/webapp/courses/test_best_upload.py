"""A further upload and what counts: the promise of each rule, for any policy and any uploads."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.every import every
from webapp.teaching.courses.deadlines import (
    Candidate,
    DeadlineRule,
    Resolution,
    Student,
    Terms,
    resolve,
)
from webapp.teaching.courses.lateness import LatePolicy, PenaltyUnit

DUE = datetime(2026, 3, 28, 20, 0, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def upload(number: int, at: datetime, practice: float | None = None) -> Candidate:
    return Candidate(pk=100 + number, number=number, uploaded_at=at, practice=practice)


def best(*uploads: Candidate, late_days: int = 0, **policy: object) -> Resolution:
    own = Terms(
        opens_at=DUE - 9 * DAY,
        due_at=DUE,
        policy=LatePolicy(**policy),  # type: ignore[arg-type]  # each test names its own fields
    )
    ada = Student(name="Ada", terms=own, late_days_left=late_days)
    return resolve(terms=own, students=[ada], uploads=uploads, rule=DeadlineRule.BEST)


@every(
    ("practice", "policy"),
    [
        (18.0, {"penalty_percent": Decimal(50)}),
        (18.0, {"late_days": 1, "max_late_days": 1}),
        (None, {"penalty_percent": Decimal(10)}),
        (-4.0, {"penalty_percent": Decimal(50)}),  # a penalty improves no mean below zero
    ],
)
def test_of_equal_uploads_the_one_in_time_counts(
    practice: float | None, policy: dict[str, Any]
) -> None:
    on_time, late = upload(1, DUE - DAY, practice), upload(2, DUE + MINUTE, practice)
    assert best(on_time, late, **policy).counted == on_time


def test_a_better_upload_that_is_late_counts_if_it_is_better_after_its_penalty() -> None:
    on_time, late = upload(1, DUE - DAY, 16.0), upload(2, DUE + MINUTE, 20.0)
    assert best(on_time, late, penalty_percent=Decimal(10)).counted == late
    assert best(on_time, late, penalty_percent=Decimal(25)).counted == on_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    terms: Terms
    students: tuple[Student, ...]
    extended_to: datetime | None
    uploads: tuple[Candidate, ...]

    def resolution(self, rule: DeadlineRule, number: int, chosen: int | None = None) -> Resolution:
        return resolve(
            terms=self.terms,
            students=self.students,
            team_extended_due_at=self.extended_to,
            uploads=self.uploads[:number],
            rule=rule,
            chosen=chosen,
        )


MEANS = st.none() | st.sampled_from([0.0, 17.5, 18.0, 18.0000001]) | st.floats(0, 25)


@st.composite
def teams(draw: st.DrawFn) -> Team:
    """Draw partners with different balances and extensions, and uploads around the due date."""
    ends = st.none() | st.integers(0, 9).map(lambda days: DUE + days * DAY)
    hard_end = draw(ends)
    caps = [Decimal(100)] if hard_end is None else [Decimal(100), Decimal(30)]
    policy = LatePolicy(
        grace_minutes=draw(st.integers(0, 90)),
        penalty_percent=draw(st.sampled_from([Decimal(p) for p in (0, 1, 10, "33.3", 50)])),
        penalty_unit=draw(st.sampled_from(PenaltyUnit)),
        max_penalty_percent=draw(st.sampled_from(caps)),
        max_late_days=draw(st.integers(0, 4)),
        hard_end_at=hard_end,
    )
    terms = Terms(opens_at=DUE - 14 * DAY, due_at=DUE, policy=policy)
    students = tuple(
        Student(
            name=name,
            terms=terms,
            time_percent=draw(st.sampled_from([100, 100, 150])),
            extended_due_at=draw(ends),
            late_days_left=draw(st.integers(0, 4)),
        )
        for name in ("Ada", "Ben")[: draw(st.integers(1, 2))]
    )
    minutes = sorted(draw(st.lists(st.integers(-3000, 20_000), min_size=1, max_size=6)))
    uploads = tuple(
        upload(number, DUE + at * MINUTE, draw(MEANS)) for number, at in enumerate(minutes, 1)
    )
    return Team(terms=terms, students=students, extended_to=draw(ends), uploads=uploads)


def worth(resolution: Resolution) -> Fraction:
    """Return the mean in practice of what counts after its penalty; -1 without any."""
    if (
        resolution.counted is None
        or resolution.lateness is None
        or resolution.counted.practice is None
    ):
        return Fraction(-1)
    left = 1 - Fraction(resolution.lateness.penalty_percent) / 100
    return Fraction(resolution.counted.practice) * left


def cost(resolution: Resolution) -> tuple[Decimal, int]:
    assert resolution.lateness is not None
    return resolution.lateness.penalty_percent, resolution.lateness.late_days


@given(team=teams())
def test_where_the_best_counts_a_further_upload_never_lowers_it(team: Team) -> None:
    for number in range(1, len(team.uploads)):
        before, after = (
            team.resolution(DeadlineRule.BEST, count) for count in (number, number + 1)
        )
        assert worth(after) >= worth(before)
        if before.counted is not None and worth(after) == worth(before):
            assert cost(after) <= cost(before)


@given(team=teams(), rule=st.sampled_from(DeadlineRule))
def test_a_further_upload_after_the_end_changes_nothing(team: Team, rule: DeadlineRule) -> None:
    for number in range(1, len(team.uploads)):
        before, after = (team.resolution(rule, count) for count in (number, number + 1))
        if not after.deadline.lateness(team.uploads[number].uploaded_at).counts:
            assert after == before


@given(team=teams(), chosen=st.integers(0, 5))
def test_once_a_team_has_chosen_a_further_upload_changes_nothing(team: Team, chosen: int) -> None:
    choice = team.uploads[min(chosen, len(team.uploads) - 1)]
    if not team.resolution(DeadlineRule.CHOICE, 0).deadline.lateness(choice.uploaded_at).counts:
        return
    for number in range(choice.number, len(team.uploads)):
        assert team.resolution(DeadlineRule.CHOICE, number + 1, choice.pk).counted == choice


@given(team=teams(), rule=st.sampled_from([DeadlineRule.LATEST, DeadlineRule.CHOICE]))
def test_where_the_latest_counts_a_further_upload_in_time_does_and_none_before_it_again(
    team: Team, rule: DeadlineRule
) -> None:
    for number in range(1, len(team.uploads)):
        before, after = (team.resolution(rule, count) for count in (number, number + 1))
        further = team.uploads[number]
        in_time = after.deadline.lateness(further.uploaded_at).counts
        assert after.counted == (further if in_time else before.counted)


@given(team=teams(), rule=st.sampled_from(DeadlineRule))
def test_a_further_upload_never_changes_the_deadline(team: Team, rule: DeadlineRule) -> None:
    deadlines = {
        team.resolution(rule, number).deadline.ends_at for number in range(len(team.uploads) + 1)
    }
    assert len(deadlines) == 1
