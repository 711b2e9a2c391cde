"""House agents: our own players of known strength, written against ``firebox`` alone.

A game's own are the modules of ``agents`` in its folder, whose ``__init__.py`` has ``NAMES``: a
line about each, weakest first. It may have ``CHARACTERS``, names for people with a few words;
``SHARED``, modules that every agent may import; ``ALSO``, the other modules that one is built upon;
``MS_PER_GAME``, what a game takes where that is much; ``RANDOM``, false where the random agent,
which plays every game, is left out.

They are reference lines on leaderboards, fillers at mixed tables, and examples to students. Each
can be submitted as it is: ``bundle`` gives the archive. They see what any agent sees, and nothing
else; their only randomness is the seed they are given.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, resources
from types import ModuleType
from typing import Final

from firebox import Agent
from grader.core.errors import GamePackageError
from grader.core.games import DEFAULT_GAME, GAMES, module_of
from grader.interfaces import DEFAULT_INTERFACE

__all__ = ["ANY_GAME", "INTERFACE", "AgentFamily", "agent", "bundle", "families", "family"]

INTERFACE: Final = DEFAULT_INTERFACE
"""The interface that they are written against."""

_DATE: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class AgentFamily:
    """The house agents of a package, one a module."""

    package: str
    names: Mapping[str, str]
    """A line about each, weakest first."""
    characters: Mapping[str, tuple[str, str]]
    """Names for people, with the few words that tell them apart."""
    shared: tuple[str, ...] = ()
    """Modules that every agent may import."""
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The other modules that one is built upon."""
    ms_per_game: Mapping[str, float] = field(default_factory=dict)
    """An upper bound of the time of a game in which one has all seats, where that is much."""
    with_random: bool = True
    """True if the random agent, which plays every game, belongs before them."""

    def agent(self, name: str) -> type[Agent]:
        """The class of a house agent: ``random_legal`` has ``RandomLegal``. Raises LookupError."""
        self._require(name)
        module = import_module(f"{self.package}.{name}")
        agent_class: type[Agent] = getattr(module, _class_name(name))
        return agent_class

    def bundle(self, name: str) -> bytes:
        """The agent as a submission: a zip with an ``agent.py``, the same bytes every time.

        Raises LookupError.
        """
        self._require(name)
        class_name = _class_name(name)
        files = {
            "agent.py": f"from house.{name} import {class_name} as Agent\n\n__all__ = ['Agent']\n",
            "house/__init__.py": '"""A house agent of Firebox and what it is made of."""\n',
        }
        for module in (*self.shared, *self.also.get(name, ()), name):
            source = resources.files(self.package) / f"{module}.py"
            files[f"house/{module}.py"] = source.read_text()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for path in sorted(files):
                out.writestr(zipfile.ZipInfo(path, _DATE), files[path], zipfile.ZIP_DEFLATED)
        return archive.getvalue()

    def _require(self, name: str) -> None:
        if name not in self.names:
            known = ", ".join(self.names)
            raise LookupError(f"no house agent is called {name!r}; there are {known}")


def _class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def _family(own: ModuleType) -> AgentFamily:
    people = {name: (name.replace("_", " ").capitalize(), "a house agent") for name in own.NAMES}
    return AgentFamily(
        own.__name__,
        own.NAMES,
        people | getattr(own, "CHARACTERS", {}),
        getattr(own, "SHARED", ()),
        getattr(own, "ALSO", {}),
        getattr(own, "MS_PER_GAME", {}),
        getattr(own, "RANDOM", "random_legal" not in own.NAMES),
    )


ANY_GAME: Final = _family(import_module(f"{__name__}.any_game"))
"""The random agent, which plays every game."""


@cache
def family(game: str) -> AgentFamily | None:
    """Return a game's own agents; ``None`` if it has none, or is not installed.

    Raises GamePackageError for agents that cannot be used.
    """
    module = module_of(GAMES[game], "agents") if game in GAMES else None
    if module is None:
        return None
    own = _family(module)
    if module.__name__.startswith("grader."):
        return own  # ours are tested, and are imported when they are needed
    for name in own.names:
        try:
            own.agent(name)
        except Exception as error:
            raise GamePackageError(
                f"the house agent {name} of {own.package} cannot be used: {error}"
            ) from error
    return own


def families(game: str) -> Iterator[AgentFamily]:
    """Yield the families of house agents that play a game, weakest first."""
    own = family(game)
    if own is None or own.with_random:
        yield ANY_GAME
    if own is not None:
        yield own


def agent(name: str) -> type[Agent]:
    """The class of a house agent in Python: ``piers``, ``othello/corners``. Raises LookupError."""
    own, module = _named(name)
    return own.agent(module)


def bundle(name: str) -> bytes:
    """The agent as a submission, the same bytes every time. Raises LookupError."""
    own, module = _named(name)
    return own.bundle(module)


def _named(name: str) -> tuple[AgentFamily, str]:
    game, _, module = name.rpartition("/")
    for each in families(game or DEFAULT_GAME):
        if module in each.names:
            return each, module
    raise LookupError(f"there is no house agent {name!r}")
