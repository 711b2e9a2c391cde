"""The rules of an assignment for uploads after its due date. Pure, as ``courses.deadlines``."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Final

__all__ = ["DAY", "MINUTE", "LatePolicy", "PenaltyUnit"]

DAY: Final = timedelta(days=1)
MINUTE: Final = timedelta(minutes=1)


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
    def unit(self) -> timedelta:
        """The time that costs one penalty."""
        return DAY if self.penalty_unit == PenaltyUnit.DAY else timedelta(hours=1)

    @property
    def penalised_units(self) -> int:
        """Units after which an upload is still worth something."""
        if not self.penalty_percent:
            return 0
        return ceil(100 / self.penalty_percent) - 1
