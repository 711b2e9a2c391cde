"""Measures how balanced a plan is: figures that a page can show before the first game."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grader.tournament.grouping import Whole, note_meetings
from grader.tournament.plan import Plan, PlannedTable, TableKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Figures over all players of a plan; of games between them, not of self-play."""

    games: tuple[int, int]
    """Fewest and most games of a player; a player that takes two seats of a game counts twice."""
    seat_spread: int
    """Largest difference, for any player and size, between two seats in games played there."""
    meetings: tuple[int, int]
    """Fewest and most tables at which any two different players meet."""
    mean_meetings: float
    meetings_sd: float
    """Standard deviation of that number over all pairs."""
    least_sd: float
    """The lowest that whole numbers with this mean could have."""


def balance_of(plan: Plan) -> Balance:
    """Measure a plan."""
    tables = [table for table in plan.tables if table.kind is TableKind.CROSS]
    played = Counter(member for table in tables for game in table.games for member in game.seating)
    pairs = _meetings(plan, tables)
    mean = float(pairs.mean()) if len(pairs) else 0.0
    share = mean % 1
    return Balance(
        games=_ends(played[player] for player in range(plan.players)),
        seat_spread=_seat_spread(plan, tables),
        meetings=_ends(map(int, pairs)),
        mean_meetings=mean,
        meetings_sd=float(pairs.std()) if len(pairs) else 0.0,
        least_sd=(share * (1 - share)) ** 0.5,
    )


def _ends(numbers: Iterable[int]) -> tuple[int, int]:
    values = list(numbers)
    return min(values, default=0), max(values, default=0)


def _meetings(plan: Plan, tables: Iterable[PlannedTable]) -> Whole:
    met = np.zeros((plan.players + plan.fillers,) * 2, dtype=np.int64)
    for table in tables:
        note_meetings(met, np.array([table.members], dtype=np.int64))
    among = met[: plan.players, : plan.players]
    return among[np.triu_indices(plan.players, 1)]


def _seat_spread(plan: Plan, tables: Iterable[PlannedTable]) -> int:
    taken = Counter(
        (len(game.seating), member, seat)
        for table in tables
        for game in table.games
        for seat, member in enumerate(game.seating)
    )
    sizes = {size for size, _, _ in taken}
    return max(
        (
            max(seats) - min(seats)
            for size in sizes
            for player in range(plan.players)
            if (seats := [taken[size, player, seat] for seat in range(size)])
        ),
        default=0,
    )
