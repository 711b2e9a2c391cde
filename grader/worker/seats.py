"""Settings for the open seats that each process of a worker keeps: how many, and for how long."""

import os
from typing import Final

from grader.play.seat_cache import MAX_SEATS, MAX_SECONDS, SeatCache

__all__ = ["seat_cache_from_environment"]

_HIGHEST: Final = 32
"""Seats: a process has user numbers for twice as many containers."""


def seat_cache_from_environment() -> SeatCache:
    """Return the cache that ``FIREBOX_OPEN_SEATS`` and ``FIREBOX_OPEN_SEAT_SECONDS`` ask for.

    Raises ValueError for what is not a number from 0 to 32, or of at most a day's seconds.
    """
    seats = _number("FIREBOX_OPEN_SEATS", MAX_SEATS, highest=_HIGHEST)
    seconds = _number("FIREBOX_OPEN_SEAT_SECONDS", int(MAX_SECONDS), highest=24 * 3600)
    return SeatCache(seats, seconds)


def _number(name: str, default: int, *, highest: int) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and int(text) <= highest):
        raise ValueError(f"{name}={text}: give a whole number from 0 to {highest}")
    return int(text)
