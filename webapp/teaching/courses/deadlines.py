"""Decides when work is due. ``counted_upload`` says which upload counts, ``lateness`` its cost.

Pure: no clock, no database. ``courses.resolution`` reads the rows and asks here; pages, exports and
the API show what comes out.

A team has the terms of the member who is due last; of equal due dates, those that end last. Late
days are used automatically, as many as an upload needs. Each member pays them, so a team has as
many as the member with the fewest. A late day, and a day that costs a penalty, ends at the same
time of the course's clocks on the next day, also if clocks change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from webapp.teaching.courses.counted_upload import Candidate, DeadlineRule, counted_upload
from webapp.teaching.courses.lateness import (
    FULL_TIME_PERCENT,
    MINUTE,
    WHOLE,
    Cause,
    Deadline,
    Lateness,
    LatenessStep,
    LatePolicy,
)

__all__ = [
    "FULL_TIME_PERCENT",
    "MAX_TIME_PERCENT",
    "Candidate",
    "Cause",
    "Deadline",
    "DeadlineRule",
    "Deadlines",
    "Lateness",
    "LatenessStep",
    "Resolution",
    "Student",
    "Terms",
    "resolve",
    "resolve_by",
]

MAX_TIME_PERCENT: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """An assignment's dates for a section, or for everybody without one of its own."""

    opens_at: datetime
    due_at: datetime
    policy: LatePolicy
    section: str = ""
    """The section's name; empty: the assignment's own dates."""
    zone: tzinfo | None = None
    """The course's time zone, in whose calendar days are counted; ``None``: ``opens_at`` has it."""
    moves_hard_end: bool = True
    """True if an accommodation moves the hard end as far as the due date."""

    @property
    def calendar(self) -> tzinfo:
        """The time zone in which days are counted."""
        return self.zone or self.opens_at.tzinfo or UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One member of a team, or a student who has none yet."""

    name: str
    terms: Terms
    time_percent: int = FULL_TIME_PERCENT
    """An accommodation: the share of the usual time from opening to due date."""
    extended_due_at: datetime | None = None
    late_days_left: int = 0
    """The course's late days that are left, after the assignments that are due before."""

    @property
    def is_usual(self) -> bool:
        """True if the student's own name decides nothing: no accommodation and no extension."""
        return self.time_percent <= FULL_TIME_PERCENT and self.extended_due_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The dates, penalty and upload of one team, or of a student without one."""

    deadline: Deadline
    counted: Candidate | None
    lateness: Lateness | None
    """The lateness of the upload that counts."""

    @property
    def late_days(self) -> int:
        """Late days that the upload that counts has used."""
        return 0 if self.lateness is None else self.lateness.late_days

    def lateness_of_graded(self, at: datetime) -> Lateness:
        """Return the cost of an upload at this moment that was graded: all, once no upload counts.

        Dates may change after it was graded. Where another upload counts by then, that one is to be
        graded, and this one's points stay until it is.
        """
        lateness = self.deadline.lateness(at)
        if lateness.counts or self.counted is not None:
            return lateness
        return replace(lateness, penalty_percent=WHOLE)

    def is_missed_at(self, now: datetime, untested_since: datetime | None) -> bool:
        """Return whether time is over, and no upload counts or may yet.

        ``untested_since`` is the time of the first upload that no test has judged yet.
        """
        ends_at = self.deadline.ends_at
        may_count = untested_since is not None and untested_since <= ends_at
        return self.counted is None and now > ends_at and not may_count


# See webapp/decisions/deadlines.md
def resolve(
    *,
    terms: Terms,
    students: Sequence[Student] = (),
    team_extended_due_at: datetime | None = None,
    closed_at: datetime | None = None,
    uploads: Iterable[Candidate] = (),
    rule: DeadlineRule = DeadlineRule.LATEST,
    chosen: int | None = None,
) -> Resolution:
    """Resolve due date, penalty and counted upload of one team.

    ``terms`` hold where there is no student (staff who try something out). ``chosen``: the key of
    the upload that the team chose.
    """
    deadline = _deadline(
        terms=terms,
        students=students,
        team_extended_due_at=team_extended_due_at,
        closed_at=closed_at,
    )
    return resolve_by(deadline, uploads=uploads, rule=rule, chosen=chosen)


def resolve_by(
    deadline: Deadline,
    *,
    uploads: Iterable[Candidate] = (),
    rule: DeadlineRule = DeadlineRule.LATEST,
    chosen: int | None = None,
) -> Resolution:
    """Resolve penalty and counted upload of a team whose deadline is known."""
    counted = counted_upload(uploads, deadline, rule, chosen)
    lateness = None if counted is None else deadline.lateness(counted.uploaded_at)
    return Resolution(deadline=deadline, counted=counted, lateness=lateness)


def _deadline(
    *,
    terms: Terms,
    students: Sequence[Student] = (),
    team_extended_due_at: datetime | None = None,
    closed_at: datetime | None = None,
) -> Deadline:
    """Resolve the deadline of one team; ``terms`` hold where there is no student."""
    whose, policy = terms, terms.policy
    steps: tuple[LatenessStep, ...] = (LatenessStep(cause=Cause.ASSIGNMENT, due_at=terms.due_at),)
    for number, student in enumerate(students):
        own, own_policy = _own_steps(terms, student), _own_policy(student)
        if number == 0:
            whose, policy, steps = student.terms, own_policy, own
        elif _end(own, own_policy, student.terms) > _end(steps, policy, whose):
            partner = LatenessStep(cause=Cause.PARTNER, due_at=own[-1].due_at, who=student.name)
            whose, policy, steps = student.terms, own_policy, (*own, partner)
    if team_extended_due_at is not None and team_extended_due_at > steps[-1].due_at:
        steps = (*steps, LatenessStep(cause=Cause.TEAM_EXTENSION, due_at=team_extended_due_at))
    fewest = min((student.late_days_left for student in students), default=0)
    return Deadline(
        due_at=steps[-1].due_at,
        policy=policy,
        late_days=max(0, min(policy.max_late_days, fewest)),
        late_days_left=max(0, fewest),
        steps=steps,
        closed_at=closed_at,
        zone=whose.calendar,
    )


def _end(
    steps: Sequence[LatenessStep], policy: LatePolicy, terms: Terms
) -> tuple[datetime, datetime]:
    """Return a due date and the last moment for uploads, which decides between equal due dates."""
    latest = Deadline(
        due_at=steps[-1].due_at,
        policy=policy,
        late_days=policy.max_late_days,
        steps=(),
        zone=terms.calendar,
    )
    return latest.due_at, latest.ends_at


# See webapp/decisions/late-days.md
class Deadlines:
    """Deadlines of one assignment, each of them resolved once.

    A student's terms and late days decide, but for accommodations, extensions and partners: of a
    thousand teams all but a few have the same.
    """

    def __init__(self, terms: Terms, closed_at: datetime | None) -> None:
        self._terms = terms
        self._closed_at = closed_at
        self._known: dict[tuple[int, int], Deadline] = {}

    def of(self, students: Sequence[Student], extended_due_at: datetime | None = None) -> Deadline:
        """Return the deadline of a team with these members."""
        if len(students) != 1 or extended_due_at is not None or not students[0].is_usual:
            return self._settled(students, extended_due_at)
        key = (id(students[0].terms), students[0].late_days_left)  # rows keep the terms alive
        if key not in self._known:
            self._known[key] = self._settled(students, None)
        return self._known[key]

    def _settled(self, students: Sequence[Student], extended_due_at: datetime | None) -> Deadline:
        return _deadline(
            terms=self._terms,
            students=students,
            team_extended_due_at=extended_due_at,
            closed_at=self._closed_at,
        )


def _own_steps(terms: Terms, student: Student) -> tuple[LatenessStep, ...]:
    """The way from the assignment's due date to the student's own."""
    steps = [LatenessStep(cause=Cause.ASSIGNMENT, due_at=terms.due_at)]
    if student.terms.section:
        own = student.terms
        steps.append(LatenessStep(cause=Cause.SECTION, due_at=own.due_at, who=own.section))
    if student.time_percent > FULL_TIME_PERCENT:
        due = accommodated(student.terms, student.time_percent)
        percent = student.time_percent
        steps.append(
            LatenessStep(cause=Cause.ACCOMMODATION, due_at=due, who=student.name, percent=percent)
        )
    extended = student.extended_due_at
    if extended is not None and extended > steps[-1].due_at:
        steps.append(LatenessStep(cause=Cause.EXTENSION, due_at=extended, who=student.name))
    return tuple(steps)


def _own_policy(student: Student) -> LatePolicy:
    """Return the policy with the student's hard end, as long after the due date as usual."""
    terms, policy = student.terms, student.terms.policy
    hard_end = policy.hard_end_at
    if hard_end is None or not terms.moves_hard_end or student.time_percent <= FULL_TIME_PERCENT:
        return policy
    longer = accommodated(terms, student.time_percent) - terms.due_at.astimezone(UTC)
    return replace(policy, hard_end_at=hard_end.astimezone(UTC) + longer)


def accommodated(terms: Terms, percent: int) -> datetime:
    """Return the due date with this share of the time from the opening, in whole minutes."""
    due_at = terms.due_at.astimezone(UTC)
    usual = due_at - terms.opens_at.astimezone(UTC)
    longer = -(-(usual * (percent - FULL_TIME_PERCENT)) // (100 * MINUTE)) * MINUTE
    return due_at + longer
