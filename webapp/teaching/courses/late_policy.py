"""The settings of an assignment for uploads after its due date; ``lateness`` applies them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Final

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)
WHOLE: Final = Decimal(100)
"""The percentage that takes all points."""


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
    """Late days of the course's purse that may be used for this assignment."""
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


def days_later(moment: datetime, days: int, zone: tzinfo) -> datetime:
    """Return the same time on the clocks of a zone, so many days later.

    A day on which clocks change has 23 or 25 hours. If clocks then show the time twice or never,
    the later reading holds.
    """
    if not days:
        return moment
    local = moment.astimezone(zone) + timedelta(days=days)  # on the clock, not elapsed
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
