"""The viewer of recorded games: what it is sent. No rules: those are the games' own."""

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
