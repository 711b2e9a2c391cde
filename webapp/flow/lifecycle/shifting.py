"""Move dates to another term: by whole weeks, at the same time on the clock. Pure."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Shift:
    """Whole weeks, in a course's time zone."""

    weeks: int
    tz: ZoneInfo

    def moved(self, moment: datetime) -> datetime:
        """Return the moment some weeks later, with the same weekday and time on the clock.

        A time that the clock skips that day becomes one as much later, as clocks that were not put
        forward show it.
        """
        local = moment.astimezone(self.tz)
        return (local + timedelta(weeks=self.weeks)).astimezone(UTC)  # on the clock, not elapsed


def shift_to(first: datetime, begins: date, tz: ZoneInfo) -> Shift:
    """Return the shift that takes the first date of a term into the week of another beginning."""
    old = first.astimezone(tz).date()
    return Shift((_monday(begins) - _monday(old)).days // 7, tz)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
