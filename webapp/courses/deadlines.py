"""Decides when work is due, what lateness costs, and which upload counts. No other module does.

Pure: no clock, no database. ``courses.resolution`` reads the rows and asks here; pages, exports and
the API show what comes out.

A team has the terms of the member who is due last; of equal due dates, those that end last. Late
days are used automatically, as many as an upload needs. Each member pays them, so a team has as
many as the member with the fewest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

from webapp.courses.late_policy import DAY, MINUTE, LatePolicy

__all__ = [
    "Candidate",
    "Cause",
    "Deadline",
    "Deadlines",
    "Lateness",
    "Resolution",
    "Rule",
    "Step",
    "Student",
    "Terms",
    "resolve",
    "settle",
]

FULL_TIME_PERCENT: Final = 100
MAX_TIME_PERCENT: Final = 400
_CENT: Final = Decimal("0.01")
_WHOLE: Final = Decimal(100)
"""The percentage that takes all points."""


class Rule(StrEnum):
    """The rule that picks a team's upload to grade."""

    LATEST = "latest"
    """The last one that was early enough."""
    BEST = "best"
    """The one with the best mean in practice; the later one of equals."""
    CHOICE = "choice"
    """The one that the team chose; the latest until it chooses."""


class Cause(StrEnum):
    """The reason for a due date."""

    ASSIGNMENT = "assignment"
    SECTION = "section"
    ACCOMMODATION = "accommodation"
    EXTENSION = "extension"
    TEAM_EXTENSION = "team extension"
    PARTNER = "partner"
    """The team goes by another member's time, which ends later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """An assignment's dates for a section, or for everybody without one of its own."""

    opens_at: datetime
    due_at: datetime
    policy: LatePolicy
    section: str = ""
    """The section's name; empty: the assignment's own dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One member of a team, or a student who has none yet."""

    name: str
    terms: Terms
    time_percent: int = FULL_TIME_PERCENT
    """An accommodation: the share of the usual time from opening to due date."""
    extended_due_at: datetime | None = None
    late_days_left: int = 0
    """The rest of the course's purse, after the assignments that are due before."""

    @property
    def is_usual(self) -> bool:
        """True if the student's own name decides nothing: no accommodation and no extension."""
        return self.time_percent <= FULL_TIME_PERCENT and self.extended_due_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reason on the way to a due date."""

    cause: Cause
    due_at: datetime
    who: str = ""
    """The section or the member that it comes from."""
    percent: int = FULL_TIME_PERCENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Lateness:
    """The lateness of an upload, and its cost."""

    late_by: timedelta
    """After the due date; zero for an upload that is on time or within the grace period."""
    late_days: int
    """Late days of the purse that it uses."""
    penalty_percent: Decimal
    counts: bool

    @property
    def is_late(self) -> bool:
        """Return whether it came after the due date and the grace period."""
        return self.late_by > timedelta(0)

    def points(self, full: Decimal) -> Decimal:
        """Take the penalty off the points."""
        left = full * (100 - self.penalty_percent) / 100
        return left.quantize(_CENT, ROUND_HALF_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """The time until which a team may upload for the grade, and the cost of lateness."""

    due_at: datetime
    policy: LatePolicy
    late_days: int
    """Late days that can be used here: the fewest that a member has left, up to the limit."""
    late_days_left: int = 0
    """The fewest that a member has left of the course's purse."""
    steps: tuple[Step, ...]
    closed_at: datetime | None = None
    """The time at which the secret of the deals was revealed: no later upload counts, not even with
    an extension."""
    ends_at: datetime = field(init=False, compare=False, repr=False)
    """The last moment at which an upload counts. Kept, since every upload is compared with it."""

    def __post_init__(self) -> None:
        policy = self.policy
        late = self.late_days * DAY + policy.penalised_units * policy.unit + policy.grace
        object.__setattr__(self, "ends_at", self._capped(self.due_at + late))

    @property
    def free_until(self) -> datetime:
        """The last moment without a penalty: late days and grace included."""
        return self._capped(self.due_at + self.late_days * DAY + self.policy.grace)

    def lateness(self, at: datetime) -> Lateness:
        """Return the cost of an upload at this moment; the last moment itself is on time."""
        counts = at <= self.ends_at
        over = at - self.due_at - self.policy.grace
        if over <= timedelta(0):
            return Lateness(
                late_by=timedelta(0), late_days=0, penalty_percent=Decimal(0), counts=counts
            )
        used = min(-(-over // DAY), self.late_days)
        left = max(over - used * DAY, timedelta(0))
        penalty = -(-left // self.policy.unit) * self.policy.penalty_percent
        return Lateness(
            late_by=at - self.due_at,
            late_days=used,
            penalty_percent=min(penalty, _WHOLE),
            counts=counts,
        )

    def _capped(self, moment: datetime) -> datetime:
        hard_end = self.policy.hard_end_at
        if hard_end is not None:
            own_end = self.due_at + self.policy.grace
            moment = min(moment, hard_end if hard_end >= self.due_at else own_end)
        return moment if self.closed_at is None else min(moment, self.closed_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An accepted upload."""

    pk: int
    number: int
    uploaded_at: datetime
    practice: float | None = None
    """Its mean in practice; higher is better (negate it where few points win)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The settled dates, penalty and upload of one team, or of a student without one."""

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
        return replace(lateness, penalty_percent=_WHOLE)

    def is_missed_at(self, now: datetime, untested_since: datetime | None) -> bool:
        """Return whether time is over, and no upload counts or may yet.

        ``untested_since`` is the time of the first upload that no test has judged yet.
        """
        ends_at = self.deadline.ends_at
        may_count = untested_since is not None and untested_since <= ends_at
        return self.counted is None and now > ends_at and not may_count


def resolve(
    *,
    terms: Terms,
    students: Sequence[Student] = (),
    team_extended_due_at: datetime | None = None,
    closed_at: datetime | None = None,
    uploads: Iterable[Candidate] = (),
    rule: Rule = Rule.LATEST,
    chosen: int | None = None,
) -> Resolution:
    """Settle due date, penalty and counted upload of one team.

    ``terms`` hold where there is no student (staff who try something out). ``chosen``: the key of
    the upload that the team chose.
    """
    deadline = _deadline(
        terms=terms,
        students=students,
        team_extended_due_at=team_extended_due_at,
        closed_at=closed_at,
    )
    return settle(deadline, uploads=uploads, rule=rule, chosen=chosen)


def settle(
    deadline: Deadline,
    *,
    uploads: Iterable[Candidate] = (),
    rule: Rule = Rule.LATEST,
    chosen: int | None = None,
) -> Resolution:
    """Settle penalty and counted upload of a team whose deadline is known."""
    counted = _counted(uploads, deadline, rule, chosen)
    lateness = None if counted is None else deadline.lateness(counted.uploaded_at)
    return Resolution(deadline=deadline, counted=counted, lateness=lateness)


def _deadline(
    *,
    terms: Terms,
    students: Sequence[Student] = (),
    team_extended_due_at: datetime | None = None,
    closed_at: datetime | None = None,
) -> Deadline:
    """Settle the deadline of one team; ``terms`` hold where there is no student."""
    whose = terms
    steps: tuple[Step, ...] = (Step(cause=Cause.ASSIGNMENT, due_at=terms.due_at),)
    for number, student in enumerate(students):
        own = _own_steps(terms, student)
        if number == 0:
            whose, steps = student.terms, own
        elif _end(own, student.terms.policy) > _end(steps, whose.policy):
            partner = Step(cause=Cause.PARTNER, due_at=own[-1].due_at, who=student.name)
            whose, steps = student.terms, (*own, partner)
    if team_extended_due_at is not None and team_extended_due_at > steps[-1].due_at:
        steps = (*steps, Step(cause=Cause.TEAM_EXTENSION, due_at=team_extended_due_at))
    fewest = min((student.late_days_left for student in students), default=0)
    return Deadline(
        due_at=steps[-1].due_at,
        policy=whose.policy,
        late_days=max(0, min(whose.policy.max_late_days, fewest)),
        late_days_left=max(0, fewest),
        steps=steps,
        closed_at=closed_at,
    )


def _end(steps: Sequence[Step], policy: LatePolicy) -> tuple[datetime, datetime]:
    """Return a due date and the last moment for uploads, which decides between equal due dates."""
    due_at, late_days = steps[-1].due_at, policy.max_late_days
    latest = Deadline(due_at=due_at, policy=policy, late_days=late_days, steps=())
    return due_at, latest.ends_at


class Deadlines:
    """Deadlines of one assignment, each of them settled once.

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


def _own_steps(terms: Terms, student: Student) -> tuple[Step, ...]:
    """The way from the assignment's due date to the student's own."""
    steps = [Step(cause=Cause.ASSIGNMENT, due_at=terms.due_at)]
    if student.terms.section:
        own = student.terms
        steps.append(Step(cause=Cause.SECTION, due_at=own.due_at, who=own.section))
    if student.time_percent > FULL_TIME_PERCENT:
        due = accommodated(student.terms, student.time_percent)
        percent = student.time_percent
        steps.append(Step(cause=Cause.ACCOMMODATION, due_at=due, who=student.name, percent=percent))
    extended = student.extended_due_at
    if extended is not None and extended > steps[-1].due_at:
        steps.append(Step(cause=Cause.EXTENSION, due_at=extended, who=student.name))
    return tuple(steps)


def accommodated(terms: Terms, percent: int) -> datetime:
    """Return the due date with this share of the time from the opening, in whole minutes."""
    usual = terms.due_at - terms.opens_at
    longer = -(-(usual * (percent - FULL_TIME_PERCENT)) // (100 * MINUTE)) * MINUTE
    return terms.due_at + longer


def _counted(
    uploads: Iterable[Candidate], deadline: Deadline, rule: Rule, chosen: int | None
) -> Candidate | None:
    in_time = [upload for upload in uploads if upload.uploaded_at <= deadline.ends_at]
    if rule is Rule.CHOICE:
        own = next((upload for upload in in_time if upload.pk == chosen), None)
        if own is not None:
            return own
    if rule is Rule.BEST:
        return max(in_time, key=_by_practice, default=None)
    return max(in_time, key=lambda upload: upload.number, default=None)


def _by_practice(upload: Candidate) -> tuple[bool, float, int]:
    """Return a key that is larger for better uploads in practice; those without it come last."""
    has_practised = upload.practice is not None
    return has_practised, upload.practice or 0.0, upload.number
