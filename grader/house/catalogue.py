"""All house agents by name, of every game and interface: for commands and pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from firebox import Agent
from grader import house
from grader.core.games import DEFAULT_GAME, GAMES, Game
from grader.house import cs221
from grader.house.measured import means
from grader.interfaces import interface_named, unfit


@dataclass(frozen=True, slots=True)
class HouseAgent:
    """One of our own players."""

    title: str
    """Its name for people: ``Piers``."""
    character: str
    """The few words after its name: ``a careful partner``."""
    description: str
    """A line about how it plays."""
    game: str
    """The game that it plays; empty: uploaded ones."""
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

    def plays(self, game: type[Game] | Game) -> bool:
        """Return whether it is an agent of this game."""
        return self.game == game.name if self.game else bool(game.folder)

    @property
    def introduction(self) -> str:
        """The way in which people are told of it: ``Piers, a careful partner``."""
        return f"{self.title}, {self.character}"

    @property
    def is_quick(self) -> bool:
        """True if hundreds of games against it take minutes, not hours."""
        return self.ms_per_game <= _QUICK_MS


_QUICK_MS: Final = 1000.0

_CS221: Final = {
    f"cs221/{name}": HouseAgent(
        f"{strategy.title.capitalize()} (Lin and Xu)",
        "a strategy from a paper",
        f"Lin and Xu’s strategy {strategy.title}",
        "hanabi",
        cs221.INTERFACE,
        partial(cs221.bundle, name),
    )
    for name, strategy in cs221.NAMES.items()
    if not strategy.sees_all
}
_OWN: Final = {
    name if game == DEFAULT_GAME else f"{game}/{name}": HouseAgent(
        *family.characters[name],
        description,
        game,
        house.INTERFACE,
        partial(family.bundle, name),
        means(game).get(name, {}),
        family.ms_per_game.get(name, 30.0),
        local=partial(family.agent, name),
    )
    for game in GAMES
    for family in house.families(game)
    for name, description in family.names.items()
}

_UPLOADED: Final = {
    "any/random_legal": HouseAgent(
        *house.ANY_GAME.characters["random_legal"],
        house.ANY_GAME.names["random_legal"],
        "",
        house.INTERFACE,
        partial(house.ANY_GAME.bundle, "random_legal"),
    )
}
"""The agent of games that an instructor uploaded."""

AGENTS: Final[Mapping[str, HouseAgent]] = MappingProxyType(
    {
        name: agent
        for game in (*GAMES, "")
        for name, agent in {**_OWN, **_CS221, **_UPLOADED}.items()
        if agent.game == game
    }
)
"""Firebox's own agents of each game, weakest first; of Hanabi then the strategies of Lin and Xu's
paper, in its order. Those of the default game have no game before their names."""


def title_of(name: str) -> str:
    """Return an agent's name for people; the name of anything but a house agent is unchanged."""
    return AGENTS[name].title if name in AGENTS else name


PARTNERS: Final = frozenset({"piers"})
"""Agents that read no code into a person's hints: the others misplay at once if people do not know
theirs."""


def fitting(game: Game) -> Mapping[str, HouseAgent]:
    """Return the agents that can play by these rules, in the same order."""
    return {
        name: agent
        for name, agent in AGENTS.items()
        if agent.plays(game) and not unfit(interface_named(agent.interface), game)
    }


def answering(game: Game) -> Mapping[str, HouseAgent]:
    """Return the agents that can answer a person at once, called in this process."""
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
