"""Passages that everybody was given: starter kits, a course's own files, and house agents."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final
from zipfile import ZipFile

from grader.core.errors import RulesError
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES
from grader.interfaces.declaration import KitLibrary
from grader.interfaces.starter_kit import starter_files
from webapp.grading.similarity.prints import grams_of
from webapp.grading.similarity.tokens import is_source
from webapp.teaching.courses.models import Assignment

__all__ = ["given_grams", "own_files"]

_KEPT: Final[dict[str, frozenset[int]]] = {}
"""By game: the same for all assignments, and a second's work."""


def given_grams(assignment: Assignment) -> frozenset[int]:
    """Return the hashes of the game's starter kits and frameworks, in all interfaces, and of its
    house agents."""
    game = assignment.game
    if game not in _KEPT:
        _KEPT[game] = frozenset(grams_of([*_shipped(game), *_house_agents(game)]))
    return _KEPT[game]


def own_files(files: Mapping[str, bytes], interface: str) -> dict[str, bytes]:
    """Return an upload's files without those that its build leaves out: the course's own."""
    declared = INTERFACES.get(interface)
    copies = frozenset() if declared is None else declared.copies(files)
    return {name: data for name, data in files.items() if name not in copies}


def _shipped(game: str) -> Iterator[Mapping[str, bytes]]:
    for name, interface in INTERFACES.items():
        try:
            kit = starter_files(game, interface=name)
        except (LookupError, RulesError):  # no agents of this interface play the game
            continue
        yield kit
        if interface.kit is not None:
            yield _framework(interface.kit)


def _framework(kit: KitLibrary) -> dict[str, bytes]:
    """Return our files of a course, also those that its kit leaves out."""
    paths = [path for path in kit.path.rglob("*.*") if path.name.endswith(kit.only)]
    return {str(path): path.read_bytes() for path in paths if is_source(path.name)}


def _house_agents(game: str) -> list[dict[str, bytes]]:
    return [_unzipped(agent.bundle()) for agent in AGENTS.values() if agent.game == game]


def _unzipped(bundle: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(bundle)) as files:
        return {name: files.read(name) for name in files.namelist()}
