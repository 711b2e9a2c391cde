"""A due date, its reasons, and what an upload after it costs: grace, late days, penalty.

Pure, as ``courses.deadlines``, which chooses the upload that counts.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

from webapp.teaching.courses.late_policy import DAY, HOUR, LatePolicy, PenaltyUnit, days_later

FULL_TIME_PERCENT: Final = 100
_CENT: Final = Decimal("0.01")


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
