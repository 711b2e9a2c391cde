"""Scores by pair, as a table whose cells are shaded: a heat map with its figures."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from grader.tournament import CrossPlay
from webapp.tournaments.selectors import Entry

__all__ = ["LARGEST_TABLE", "Cell", "Line", "heat_map"]

LARGEST_TABLE: Final = 40
"""More participants than this make no table that anybody reads: there is a file for them."""
SHADES: Final = 5


class Cell(NamedTuple):
    """Games of one participant with another."""

    mean: float | None
    """``None`` without games."""
    games: int
    shade: int
    """From 0 for the lowest fifth of the means' range to 4."""
    is_itself: bool


class Line(NamedTuple):
    """A participant's games with everybody."""

    entry: Entry
    cells: tuple[Cell, ...]


def heat_map(table: CrossPlay | None, people: Sequence[Entry]) -> list[Line]:
    """The table of all pairs in the order of the standings; empty if it would be too large."""
    if table is None or len(people) > LARGEST_TABLE:
        return []
    known = [mean for row in table.means for mean in row if mean is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    order = [each.participant.number for each in people]
    return [
        Line(
            entry,
            tuple(
                Cell(
                    mean := table.means[number][other],
                    table.games[number][other],
                    0 if mean is None else _shade(mean, low, high),
                    number == other,
                )
                for other in order
            ),
        )
        for entry, number in zip(people, order, strict=True)
    ]


def _shade(mean: float, low: float, high: float) -> int:
    """In which fifth of the range a mean is; the middle one if all are the same."""
    if high <= low:
        return SHADES // 2
    return min(SHADES - 1, int(SHADES * (mean - low) / (high - low)))
