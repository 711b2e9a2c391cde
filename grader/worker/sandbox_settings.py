"""Settings for the sandboxes that each process of a worker keeps open: number and time."""

import os
from typing import Final

from grader.play.sandbox_cache import (
    FEW_SANDBOXES,
    MAX_SANDBOXES,
    MAX_SECONDS,
    MAX_SPARES,
    SandboxCache,
)

_HIGHEST: Final = 200
"""Sandboxes: a process has user numbers for 56 more containers, which play or are being closed."""


def sandbox_cache_from_environment(*, few: bool = False) -> SandboxCache:
    """Return the cache that the settings ask for; with ``few``, one for agents that rarely return.

    Raises ValueError unless they are whole numbers up to 200, the seconds up to a day's.
    """
    number = _number("FIREBOX_OPEN_SANDBOXES", MAX_SANDBOXES, highest=_HIGHEST)
    seconds = _number("FIREBOX_OPEN_SANDBOX_SECONDS", int(MAX_SECONDS), highest=24 * 3600)
    spares = _number("FIREBOX_SPARE_SANDBOXES", MAX_SPARES, highest=_HIGHEST)
    return SandboxCache(min(number, FEW_SANDBOXES) if few else number, seconds, spares)


def _number(name: str, default: int, *, highest: int) -> int:
    given = name if os.environ.get(name, "").strip() else _former(name)
    text = os.environ.get(given, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and int(text) <= highest):
        raise ValueError(f"{given}={text}: give a whole number from 0 to {highest}")
    return int(text)


def _former(name: str) -> str:
    """Return the name that a setting had when a sandbox was called a seat."""
    return name.replace("SANDBOXES", "SEATS").replace("SANDBOX", "SEAT")
