"""All house agents by name, of every game and interface: for commands and pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from firebox import Agent
from grader import house
from grader.core.games import GAMES, Game
from grader.house import any_game, cs221, hearts
from grader.house.measured import ladder
from grader.interfaces import interface_named, unfit


@dataclass(frozen=True, slots=True)
class HouseAgent:
    """One of our own players."""

    description: str
    """A line about it."""
    game: str
    """The game that it plays."""
    interface: str
    bundle: Callable[[], bytes]
    """Makes the agent as a submission: a zip, the same bytes every time."""
    means: Mapping[int, float] = field(default_factory=dict)
    """Means of games with copies of itself by the standard rules, by the number of seats, as
    ``grader.house.measured`` has them. None for games in which that says nothing."""
    ms_per_game: float = 30.0
    """An upper bound of the time of a game in which it has all seats."""

    local: Callable[[], type[Agent]] | None = None
    """Returns its class, to be called in this process; ``None`` for one that needs a runtime of its
    own."""

    @property
    def is_quick(self) -> bool:
        """True if hundreds of games against it take minutes, not hours."""
        return self.ms_per_game <= _QUICK_MS


_QUICK_MS: Final = 1000.0


def _means() -> Mapping[str, Mapping[int, float]]:
    means: dict[str, dict[int, float]] = {name: {} for name in house.NAMES}
    for rung in ladder().of("standard"):
        if rung.games.mean is not None:
            means[rung.agent][rung.players] = rung.games.mean
    return {name: MappingProxyType(by_seats) for name, by_seats in means.items()}


_MEANS: Final = _means()

_HANABI: Final = {
    name: HouseAgent(
        description,
        "hanabi",
        house.INTERFACE,
        partial(house.bundle, name),
        _MEANS[name],
        local=partial(house.agent, name),
    )
    for name, description in house.NAMES.items()
}
_CS221: Final = {
    f"cs221/{name}": HouseAgent(
        f"Lin and Xu’s strategy {strategy.title}",
        "hanabi",
        cs221.INTERFACE,
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
        local=partial(hearts.agent, name),
    )
    for name, description in hearts.NAMES.items()
}
_WITH_AGENTS: Final = {agent.game for agent in (_HANABI | _CS221 | _HEARTS).values()}
_OTHERS: Final = {
    f"{game}/{name}": HouseAgent(
        description,
        game,
        house.INTERFACE,
        partial(any_game.bundle, name),
        local=partial(any_game.agent, name),
    )
    for game in GAMES
    if game not in _WITH_AGENTS
    for name, description in any_game.NAMES.items()
}

AGENTS: Final[Mapping[str, HouseAgent]] = MappingProxyType(_HANABI | _CS221 | _HEARTS | _OTHERS)
"""Firebox's own agents of each game, weakest first; of Hanabi then the strategies of Lin and Xu's
paper, in its order."""


def fitting(game: Game) -> Mapping[str, HouseAgent]:
    """Return the agents that can play by these rules, in the same order."""
    return {
        name: agent
        for name, agent in AGENTS.items()
        if agent.game == game.name and not unfit(interface_named(agent.interface), game)
    }


def answering(game: Game) -> Mapping[str, HouseAgent]:
    """Return those of them that can answer a person at once, called in this process."""
    return {
        name: agent
        for name, agent in fitting(game).items()
        if agent.local is not None and agent.is_quick
    }


def measured(game: str) -> Mapping[str, Mapping[int, float]]:
    """Means by number of seats, of the game's agents that have such figures."""
    return {
        name: agent.means for name, agent in AGENTS.items() if agent.game == game and agent.means
    }
