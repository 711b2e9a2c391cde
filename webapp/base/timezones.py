"""Time zones by their names, and the dates that are taken."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from importlib import resources
from typing import Final
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError

_YEARS: Final = range(2000, 2100)
"""Years that a form accepts: with more time or late days added, they are still valid dates."""


def validate_date(value: date) -> None:
    """Raises ValidationError for a day or moment of another century, such as a mistyped one."""
    if value.year not in _YEARS:
        raise ValidationError(f"Choose a date from {_YEARS[0]} to {_YEARS[-1]}.")


def validate_timezone(name: str) -> None:
    """Raises ValidationError unless the name is in the time zone database."""
    if name not in known_timezones():
        raise ValidationError(f"{name!r} is not a time zone; write it like Europe/Berlin or UTC.")


@cache
def known_timezones() -> frozenset[str]:
    """All names of the time zone database; looking for its files takes 10 ms."""
    return frozenset(available_timezones())


@cache
def offered_timezones() -> tuple[str, ...]:
    """UTC and every country's zones by their present names: those of the database's ``zone.tab``.

    Not ``zone1970.tab``, which has no Oslo since Oslo has kept Berlin's time.
    """
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    return ("UTC", *sorted(row[2] for row in rows))


@dataclass(frozen=True, slots=True)
class ClockChange:
    """A change of clocks, such as the end of summer time."""

    at: datetime
    by: timedelta
    """Below zero: clocks go back."""


def clock_change(begins: datetime, ends: datetime, zone: tzinfo) -> ClockChange | None:
    """Return the first change of a zone's clocks between two moments, to the minute."""
    hours = int((ends - begins) / timedelta(hours=1))
    moments = [begins.astimezone(UTC) + timedelta(hours=hour) for hour in range(hours + 1)]
    offsets = [_offset(moment, zone) for moment in moments]
    for at, before, after in zip(moments, offsets, offsets[1:], strict=False):
        if before != after:
            minutes = (at + timedelta(minutes=minute) for minute in range(61))
            changed = next(moment for moment in minutes if _offset(moment, zone) == after)
            return ClockChange(changed, after - before)
    return None


def _offset(moment: datetime, zone: tzinfo) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta(0)
