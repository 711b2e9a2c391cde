"""Starter kits: the folder that a student begins with, made for the rules of an assignment.

It holds an agent that already plays, tests of it that need no referee, a README, the rules as
``rules.json``, and the library itself, so that editors and tests find it without an installation.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from grader.games import JsonObject, game_from_options

__all__ = ["starter_files", "starter_kit", "write_starter_kit"]

_RULES: Final = "rules.json"
_DATE: Final = (1980, 1, 1, 0, 0, 0)


def starter_files(
    game: str, options: JsonObject | None = None, *, library: bool = True
) -> Mapping[str, bytes]:
    """The kit's files by name, sorted; without ``library`` for where ``firebox`` is installed.

    Raises RulesError for a game or options that can't be played, LookupError for want of a kit.
    """
    rules = game_from_options(game, options or {})
    folder = resources.files(__package__) / "python" / "starter" / game
    if not folder.is_dir():
        raise LookupError(f"there is no starter kit for the game {game}")
    files = dict(_files(folder, ""))
    text = json.dumps({"game": game, "options": dict(rules.options)}, indent=2)
    files[_RULES] = text.encode() + b"\n"
    if library:
        files.update(_files(resources.files("firebox"), "firebox/"))
    return dict(sorted(files.items()))


def starter_kit(
    game: str, options: JsonObject | None = None, *, folder: str = "", interface: str = "python"
) -> bytes:
    """The kit as a zip, the same bytes every time; ``folder`` is one to put all files in.

    Raises LookupError for want of a kit.
    """
    if interface != "python":
        raise LookupError(f"there is no starter kit for the interface {interface}")
    archive = io.BytesIO()
    prefix = f"{folder}/" if folder else ""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in starter_files(game, options).items():
            entry = zipfile.ZipInfo(prefix + name, _DATE)
            entry.external_attr = 0o644 << 16
            out.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def write_starter_kit(
    directory: Path, game: str, options: JsonObject | None = None, *, library: bool = False
) -> tuple[str, ...]:
    """Write the kit's files into a directory, which is made if need be; their names.

    Raises FileExistsError, before anything is written, rather than overwrite a file.
    """
    files = starter_files(game, options, library=library)
    for name in files:
        if (directory / name).exists():
            raise FileExistsError(f"{directory / name} exists already")
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tuple(files)


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith(("__", ".")):
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry.read_bytes()
