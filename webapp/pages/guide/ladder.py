"""The house agents of Hanabi and their scores, for the guide."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from grader import house
from grader.house.catalogue import AGENTS
from grader.house.measured import Rung, ladder

__all__ = ["VariantTable", "house_agents"]


@dataclass(frozen=True, slots=True)
class VariantTable:
    """Results of house agents by the rules of one variant."""

    variant: str
    games: int
    """Games of each figure."""
    players: tuple[int, ...]
    rows: tuple[tuple[str, tuple[Rung, ...]], ...]
    """By name, in the order of ``players``."""


@cache
def house_agents() -> dict[str, Any]:
    """The agents, and a table for each variant."""
    variants = dict.fromkeys(rung.variant for rung in ladder().rungs)
    return {
        "agents": {name: AGENTS[name] for name in house.NAMES},
        "tables": [_table(variant) for variant in variants],
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
