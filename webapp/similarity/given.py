"""Passages that everybody was given: starter kits, and house agents, which students may read."""

from io import BytesIO
from typing import Final
from zipfile import ZipFile

from grader.core.errors import RulesError
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES
from grader.interfaces.starter_kit import starter_files
from webapp.courses.models import Assignment
from webapp.similarity.prints import grams_of

__all__ = ["given_grams"]

_KEPT: Final[dict[str, frozenset[int]]] = {}
"""By game: the same for all assignments, and a second's work."""


def given_grams(assignment: Assignment) -> frozenset[int]:
    """Return the hashes of the game's starter kits, in all interfaces, and of its house agents."""
    game = assignment.game
    if game not in _KEPT:
        _KEPT[game] = frozenset(grams_of([*_kits(game), *_house_agents(game)]))
    return _KEPT[game]


def _kits(game: str) -> list[dict[str, bytes]]:
    kits = []
    for name in INTERFACES:
        try:
            kits.append(dict(starter_files(game, interface=name)))
        except (LookupError, RulesError):  # no agents of this interface play the game
            continue
    return kits


def _house_agents(game: str) -> list[dict[str, bytes]]:
    return [_unzipped(agent.bundle()) for agent in AGENTS.values() if agent.game == game]


def _unzipped(bundle: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(bundle)) as files:
        return {name: files.read(name) for name in files.namelist()}
