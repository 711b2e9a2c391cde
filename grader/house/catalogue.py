"""All house agents by name, whatever they play and are written against: for commands and pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from grader import house
from grader.games import Game
from grader.house import cs221, hearts
from grader.interfaces import interface_named, unfit

__all__ = ["AGENTS", "HouseAgent", "fitting", "measured"]


@dataclass(frozen=True, slots=True)
class HouseAgent:
    """One of our own players."""

    description: str
    """A line about it."""
    game: str
    """What it plays."""
    interface: str
    bundle: Callable[[], bytes]
    """Makes the agent as a submission: a zip, the same bytes every time."""
    means: Mapping[int, float] = field(default_factory=dict)
    """Means of 1000 games with copies of itself by the standard rules, by the number of seats;
    those of the README. None for games in which that says nothing."""
    ms_per_game: float = 30.0
    """About what a game takes at most in which it has all seats: nobody needs to find out."""

    @property
    def is_quick(self) -> bool:
        """Whether hundreds of games against it take minutes, not hours."""
        return self.ms_per_game <= _QUICK_MS


_QUICK_MS: Final = 1000.0


def _means(*means: float) -> Mapping[int, float]:
    return MappingProxyType(dict(enumerate(means, 2)))


_MEANS: Final[Mapping[str, Mapping[int, float]]] = MappingProxyType(
    {
        "random_legal": _means(0.00, 0.00, 0.00, 0.00),
        "outer": _means(16.26, 15.68, 14.77, 14.10),
        "iggi": _means(17.74, 17.08, 16.34, 15.26),
        "piers": _means(18.14, 18.06, 17.39, 16.50),
        "convention": _means(23.32, 23.27, 22.70, 21.07),
        "information": _means(22.53, 24.80, 24.93, 24.92),
    }
)

_HANABI: Final = {
    name: HouseAgent(
        description, "hanabi", house.INTERFACE, partial(house.bundle, name), _MEANS[name]
    )
    for name, description in house.NAMES.items()
}
_CS221: Final = {
    f"cs221/{name}": HouseAgent(
        f"Lin and Xu’s strategy {strategy.title}",
        "hanabi",
        "cs221-python",
        partial(cs221.bundle, name),
    )
    for name, strategy in cs221.NAMES.items()
    if not strategy.sees_all
}
_HEARTS: Final = {
    f"hearts/{name}": HouseAgent(
        description,
        "hearts",
        house.INTERFACE,
        partial(hearts.bundle, name),
        ms_per_game=hearts.SLOW_MS.get(name, 300.0),
    )
    for name, description in hearts.NAMES.items()
}

AGENTS: Final[Mapping[str, HouseAgent]] = MappingProxyType(_HANABI | _CS221 | _HEARTS)
"""Of each game Firebox's own, weakest first; of Hanabi then the strategies of Lin and Xu's paper,
in its order."""


def fitting(game: Game) -> Mapping[str, HouseAgent]:
    """Those that can play by these rules, in the same order."""
    return {
        name: each
        for name, each in AGENTS.items()
        if each.game == game.name and not unfit(interface_named(each.interface), game)
    }


def measured(game: str) -> Mapping[str, Mapping[int, float]]:
    """Means by number of seats, of the game's agents that have such figures."""
    return {name: each.means for name, each in AGENTS.items() if each.game == game and each.means}
