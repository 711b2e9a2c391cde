"""Scores by pair, as a table whose cells are shaded: a heat map with its figures."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from grader.core.games.outcomes import Tally
from grader.tournament import CrossPlay
from webapp.contests.tournaments.selectors import TournamentEntry

LARGEST_TABLE: Final = 40
"""More participants than this make no table that anybody reads: there is a file for them."""
SHADES: Final = 5


class PairCell(NamedTuple):
    mean: float | None
    games: int
    shade: int
    """From 0 for the lowest fifth of all pairs to 4 for the highest."""
    is_itself: bool
    percent: int
    """Length of the bar below the number: 100 is the highest mean."""
    tally: Tally | None


class PairRow(NamedTuple):
    ranked: TournamentEntry
    cells: tuple[PairCell, ...]


def heat_map(table: CrossPlay | None, people: Sequence[TournamentEntry]) -> list[PairRow]:
    """Return the table in the order of the standings; empty if it would be too large."""
    if table is None or len(people) > LARGEST_TABLE:
        return []
    numbers = [ranked.entry.number for ranked in people]
    pairs = [(one, other) for one in numbers for other in numbers if one != other]
    means = sorted(mean for one, other in pairs if (mean := table.means[one][other]) is not None)
    return [
        PairRow(ranked, tuple(_cell(table, number, other, means) for other in numbers))
        for ranked, number in zip(people, numbers, strict=True)
    ]


def _cell(table: CrossPlay, number: int, other: int, means: Sequence[float]) -> PairCell:
    mean = table.means[number][other]
    return PairCell(
        mean,
        table.games[number][other],
        0 if mean is None else _shade(mean, means),
        number == other,
        0 if mean is None else _percent(mean, means),
        table.tallies[number][other] if table.tallies else None,
    )


def _shade(mean: float, means: Sequence[float]) -> int:
    """The rank of a mean among the means that differ: the best pairs are always the darkest."""
    distinct = sorted(set(means))
    if len(distinct) < 2:
        return SHADES // 2
    # The diagonal's mean is not among the pairs' means: it takes the nearest one's shade.
    place = min(bisect_left(distinct, mean), len(distinct) - 1)
    return (SHADES - 1) * place // (len(distinct) - 1)


def _percent(mean: float, means: Sequence[float]) -> int:
    low = min(0.0, means[0]) if means else 0.0
    high = max(means[-1] if means else mean, low + 1e-9)
    return max(2, min(100, round(100 * (mean - low) / (high - low))))
