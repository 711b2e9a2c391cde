"""All house agents by name, whatever they are written against: what commands and pages offer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from grader import house
from grader.games import Game
from grader.house import cs221
from grader.interfaces import interface_named, unfit

__all__ = ["AGENTS", "HouseAgent", "fitting"]


@dataclass(frozen=True, slots=True)
class HouseAgent:
    """One of our own players."""

    description: str
    """A line about it."""
    interface: str
    bundle: Callable[[], bytes]
    """Makes the agent as a submission: a zip, the same bytes every time."""


AGENTS: Final[Mapping[str, HouseAgent]] = MappingProxyType(
    {
        name: HouseAgent(description, house.INTERFACE, partial(house.bundle, name))
        for name, description in house.NAMES.items()
    }
    | {
        f"cs221/{name}": HouseAgent(
            f"Lin and Xu’s strategy {strategy.title}", "cs221-python", partial(cs221.bundle, name)
        )
        for name, strategy in cs221.NAMES.items()
        if not strategy.sees_all
    }
)
"""Firebox's own, weakest first, then the strategies of Lin and Xu's paper, in its order."""


def fitting(game: Game) -> Mapping[str, HouseAgent]:
    """Those that can play by these rules, in the same order."""
    return {
        name: each
        for name, each in AGENTS.items()
        if not unfit(interface_named(each.interface), game)
    }
