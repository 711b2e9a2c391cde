"""The late policy, a due date and its reasons, and the cost of a late upload: late days, penalty.

Pure, as ``courses.deadlines``, which chooses the upload that counts.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from math import ceil
from typing import Final

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)
WHOLE: Final = Decimal(100)
"""The percentage that takes all points."""
FULL_TIME_PERCENT: Final = 100
_CENT: Final = Decimal("0.01")


class PenaltyUnit(StrEnum):
    """The unit of a penalty; a started one counts whole."""

    HOUR = "hour"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class LatePolicy:
    """The rules for uploads after the due date."""

    grace_minutes: int = 0
    """An upload within it is on time; longer lateness is counted from its end."""
    penalty_percent: Decimal = Decimal(0)
    """Percent of the points, for each started unit; 0: nothing late counts without late days."""
    max_penalty_percent: Decimal = WHOLE
    """The most that lateness costs. Below 100, uploads count until the hard end."""
    penalty_unit: PenaltyUnit = PenaltyUnit.DAY
    max_late_days: int = 0
    """Late days of the course that may be used for this assignment."""
    hard_end_at: datetime | None = None
    """Later uploads never count, unless an extension ends later."""

    @property
    def grace(self) -> timedelta:
        """The grace period."""
        return self.grace_minutes * MINUTE

    @property
    def penalised_units(self) -> int:
        """Units after which an upload is still worth something, if the penalty has no maximum."""
        if not self.penalty_percent:
            return 0
        return ceil(WHOLE / self.penalty_percent) - 1

    @property
    def is_capped(self) -> bool:
        """True if lateness alone never takes all points."""
        return bool(self.penalty_percent) and self.max_penalty_percent < WHOLE

    def penalty(self, units: int) -> Decimal:
        """Return the percentage that so many started units cost."""
        return min(units * self.penalty_percent, self.max_penalty_percent)


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
class LatenessStep:
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
    """Late days that it uses."""
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
    """The fewest of the course's late days that a member has left."""
    steps: tuple[LatenessStep, ...]
    closed_at: datetime | None = None
    """The time at which the secret of the deals was revealed: no later upload counts, not even with
    an extension."""
    zone: tzinfo = UTC
    """The time zone in whose calendar days are counted."""
    ends_at: datetime = field(init=False, compare=False, repr=False)
    """The last moment at which an upload counts. Kept, since every upload is compared with it."""

    def __post_init__(self) -> None:
        # In one zone, datetimes are compared by their clocks, which are the same twice a year.
        object.__setattr__(self, "due_at", self.due_at.astimezone(UTC))
        object.__setattr__(self, "ends_at", self._capped(self._penalised_until()))

    @property
    def free_until(self) -> datetime:
        """The last moment without a penalty: late days and grace included."""
        return self._capped(self._days_later(self.late_days) + self.policy.grace)

    def lateness(self, at: datetime) -> Lateness:
        """Return the cost of an upload at this moment; the last moment itself is on time."""
        policy, counts = self.policy, at <= self.ends_at
        graced = at.astimezone(UTC) - policy.grace
        if graced <= self.due_at:
            return Lateness(
                late_by=timedelta(0), late_days=0, penalty_percent=Decimal(0), counts=counts
            )
        days = self._days_started(graced)
        used = min(days, self.late_days)
        units = days - used
        if policy.penalty_unit == PenaltyUnit.HOUR:
            units = max(-(-(graced - self._days_later(used)) // HOUR), 0)
        return Lateness(
            late_by=at - self.due_at,
            late_days=used,
            penalty_percent=policy.penalty(units),
            counts=counts,
        )

    def _days_later(self, days: int) -> datetime:
        return days_later(self.due_at, days, self.zone)

    def _days_started(self, at: datetime) -> int:
        """Count the days since the due date, the last of which may have begun only."""
        days = max((at - self.due_at) // DAY - 1, 0)  # at most one calendar day too few
        while self._days_later(days) < at:
            days += 1
        return days

    def _penalised_until(self) -> datetime:
        """Return the last moment at which an upload is worth something, but for the hard end."""
        policy, units = self.policy, self.policy.penalised_units
        if policy.penalty_unit == PenaltyUnit.HOUR:
            end = self._days_later(self.late_days) + units * HOUR + policy.grace
        else:
            end = self._days_later(self.late_days + units) + policy.grace
        if policy.is_capped and policy.hard_end_at is not None:
            return max(end, policy.hard_end_at)
        return end

    def _capped(self, moment: datetime) -> datetime:
        hard_end = self.policy.hard_end_at
        if hard_end is not None:
            own_end = self.due_at + self.policy.grace
            moment = min(moment, hard_end if hard_end >= self.due_at else own_end)
        return moment if self.closed_at is None else min(moment, self.closed_at)


def days_later(moment: datetime, days: int, zone: tzinfo) -> datetime:
    """Return the same time on the clocks of a zone, so many days later.

    A day on which clocks change has 23 or 25 hours. If clocks then show the time twice or never,
    the later reading holds.
    """
    if not days:
        return moment
    local = moment.astimezone(zone) + timedelta(days=days)  # on the clock, not elapsed
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
