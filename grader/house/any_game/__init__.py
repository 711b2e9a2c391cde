"""The house agents of games from packages: the random one, which plays every game, and their own.

A package's own are the modules of its ``agents``, whose ``__init__.py`` has ``NAMES``: a line about
each, weakest first. It may have ``CHARACTERS``, names for people with a few words, and ``SHARED``,
modules that every agent may import.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from grader.core.errors import GamePackageError
from grader.core.games import GAMES, package_of
from grader.house import AgentFamily

__all__ = ["ANY_GAME", "families"]

_RANDOM: Final = {"random_legal": "any legal action, each as likely as the others"}
ANY_GAME: Final = AgentFamily(
    __name__, _RANDOM, (), {}, {"random_legal": ("Randy", "who plays without a plan")}
)


def families(game: str) -> Iterator[AgentFamily]:
    """Yield the families of house agents that play a game, weakest first.

    Raises GamePackageError for a package whose agents cannot be used.
    """
    yield ANY_GAME
    package = f"{package_of(GAMES[game])}.agents"
    if package == ".agents" or find_spec(package) is None:
        return
    own = import_module(package)
    people = {name: (name.replace("_", " ").capitalize(), "a house agent") for name in own.NAMES}
    people |= getattr(own, "CHARACTERS", {})
    family = AgentFamily(package, own.NAMES, getattr(own, "SHARED", ()), {}, people)
    for name in family.names:
        try:
            family.agent(name)
        except Exception as error:
            raise GamePackageError(
                f"the house agent {name} of {package} cannot be used: {error}"
            ) from error
    yield family
