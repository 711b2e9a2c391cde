"""Versions of games from packages: their rules' version, and a digest of their files.

Games of this repository have none: their rules are those of the installed Firebox.
"""

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from grader.core.games import GAMES, Game, package_of

_DIGITS: Final = 16
_OWN: Final = "grader."
_FOLDERS: Final = {"__pycache__", "agents", "starter", "viewer"}
_FILES: Final = {"presentation.py", "guide.html", "guide.md", "replay.html"}


@cache
def version_of(game: type[Game]) -> str:
    """Return what a site and its graders must agree on: ``2-9f86d081884c7d65``. An uploaded game
    has the digest of its folder.

    Empty for a game of this repository, and for one that is not installed. House agents, kits,
    drawings and pages do not count: they change no rule.
    """
    if game.folder:
        return f"{game.rules_version}-{game.folder[:_DIGITS]}"
    if not game.is_installed or game.__module__.startswith(_OWN):
        return ""
    digest = hashlib.sha256()
    for name, path in sorted(_files(game)):
        digest.update(f"{name}\0{len(content := path.read_bytes())}\0".encode() + content)
    return f"{game.rules_version}-{digest.hexdigest()[:_DIGITS]}"


def installed_versions() -> dict[str, str]:
    """Return the versions of all games from packages, by name."""
    versions = {name: version_of(game) for name, game in GAMES.items()}
    return {name: version for name, version in versions.items() if version}


def _files(game: type[Game]) -> Iterator[tuple[str, Path]]:
    file = Path(str(sys.modules[game.__module__].__file__))
    package = package_of(game)
    if not package:
        yield file.name, file
        return
    folder = Path(str(sys.modules[package].__file__)).parent
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not {*name.parts[:-1]} & _FOLDERS and str(name) not in _FILES:
            yield name.as_posix(), path
