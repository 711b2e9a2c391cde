"""The viewer of recorded games: its data, scripts and page. It holds no rules of games."""

from grader.viewer.data import (
    FORMAT,
    Seat,
    differences,
    elsewhere,
    played,
    printed_in,
    restored,
    shown,
    viewed,
)

__all__ = [
    "FORMAT",
    "Seat",
    "differences",
    "elsewhere",
    "played",
    "printed_in",
    "restored",
    "shown",
    "viewed",
]
