"""The house agents of Hanabi and what they score, for the guide."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from grader import house
from grader.house.measured import Rung, ladder

__all__ = ["VariantTable", "house_agents"]


@dataclass(frozen=True, slots=True)
class VariantTable:
    """What house agents reach by the rules of one variant."""

    variant: str
    games: int
    """Of each figure."""
    players: tuple[int, ...]
    rows: tuple[tuple[str, tuple[Rung, ...]], ...]
    """By name, in the order of ``players``."""


@cache
def house_agents() -> dict[str, Any]:
    """The agents, a table for each variant, and for the first of them the details."""
    tables = [_table(variant) for variant in dict.fromkeys(r.variant for r in ladder().rungs)]
    first = tables[0]
    details = [
        (count, [rungs[at] for _, rungs in first.rows]) for at, count in enumerate(first.players)
    ]
    return {
        "agents": tuple(house.NAMES.items()),
        "tables": tables,
        "details": details,
        "games": {table.variant: table.games for table in tables},
    }


def _table(variant: str) -> VariantTable:
    rungs = ladder().of(variant)
    rows = tuple(
        (name, tuple(rung for rung in rungs if rung.agent == name)) for name in house.NAMES
    )
    return VariantTable(
        variant=variant,
        games=min(rung.games.n for rung in rungs),
        players=tuple(dict.fromkeys(rung.players for rung in rungs)),
        rows=rows,
    )
