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

_CHARACTERS: Final[Mapping[str, tuple[str, str]]] = {
    "random_legal": ("Randy", "who plays without a plan"),
    "outer": ("Otto", "a timid partner"),
    "iggi": ("Iggi", "a straightforward partner"),
    "piers": ("Piers", "a careful partner"),
    "convention_1": ("Connie", "a partner whose hints mean: play this card"),
    "convention_2": ("Conrad", "a partner whose hints also save cards"),
    "convention": ("Constance", "a partner whose silence also tells something"),
    "recommendation": ("Rhea", "an adviser who tells everybody at once what to do"),
    "information": ("Ines", "a mathematician who hints in code"),
    "hearts/low_card": ("Lola", "who always plays low"),
    "hearts/careful": ("Carla", "a cautious beginner"),
    "hearts/guarded": ("Gwen", "who counts cards"),
    "hearts/sampling": ("Sam", "who thinks deals through"),
}
"""Names for people, each near the name of its file, and the few words that tell them apart."""


def _means() -> Mapping[str, Mapping[int, float]]:
    means: dict[str, dict[int, float]] = {name: {} for name in house.NAMES}
    for rung in ladder().of("standard"):
        if rung.games.mean is not None:
            means[rung.agent][rung.players] = rung.games.mean
    return {name: MappingProxyType(by_seats) for name, by_seats in means.items()}


_MEANS: Final = _means()

_HANABI: Final = {
    name: HouseAgent(
        *_CHARACTERS[name],
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
_HEARTS: Final = {
    f"hearts/{name}": HouseAgent(
        *_CHARACTERS[f"hearts/{name}"],
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
        *family.characters[name],
        description,
        game,
        house.INTERFACE,
        partial(family.bundle, name),
        local=partial(family.agent, name),
    )
    for game in GAMES
    if game not in _WITH_AGENTS
    for family in any_game.families(game)
    for name, description in family.names.items()
}

_RANDOM: Final = any_game.ANY_GAME
_UPLOADED: Final = {
    "any/random_legal": HouseAgent(
        *_RANDOM.characters["random_legal"],
        _RANDOM.names["random_legal"],
        "",
        house.INTERFACE,
        partial(_RANDOM.bundle, "random_legal"),
    )
}
"""The agent of games that an instructor uploaded."""

AGENTS: Final[Mapping[str, HouseAgent]] = MappingProxyType(
    _HANABI | _CS221 | _HEARTS | _OTHERS | _UPLOADED
)
"""Firebox's own agents of each game, weakest first; of Hanabi then the strategies of Lin and Xu's
paper, in its order."""


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
