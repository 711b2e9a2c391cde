"""Starter kits: the folder that a student begins with, made for an interface and for rules.

It holds an agent that already plays, a README, the rules as ``rules.json``, and what an editor or
a compiler at home needs of ours: the types that the agent is written against.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.core.errors import RulesError
from grader.core.games import Game, JsonObject, game_from_options
from grader.interfaces import INTERFACES, Interface, unfit

__all__ = ["starter_files", "starter_kit", "write_starter_kit"]

_RULES: Final = "rules.json"
_DATE: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Library:
    """What of ours goes with a kit. A folder is one of this package, or a package of its own."""

    folder: str
    put: str
    """Where in the kit, with a slash at the end; empty: at its top."""
    only: tuple[str, ...] = ("",)
    """Names of the files, or how they end."""
    without: tuple[str, ...] = ()
    replaced: tuple[bytes, bytes] = (b"", b"")
    """What is written otherwise in the kit, and how."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Its files, by their names in the kit."""
        for name, data in _files(_folder(self.folder), self.put):
            if name.endswith(self.only) and not name.endswith(self.without):
                yield name, data.replace(*self.replaced) if self.replaced[0] else data


_LIBRARIES: Final[Mapping[str, _Library]] = MappingProxyType(
    {
        "python": _Library(folder="firebox", put="firebox/"),
        "uwa-java": _Library(
            folder="uwa_java/hanabAI",
            put="hanabAI/",
            without=("FireboxAdapter.java", "FireboxTable.java"),  # which need what no student has
        ),
        "gcc-cpp": _Library(folder="gcc_cpp/gcc_cpp", put="", only=(".h",)),
        "fit2102-haskell": _Library(
            folder="fit2102_haskell/fit2102_haskell",
            put="",
            only=(".hs",),
            without=("FireboxAdapter.hs",),
        ),
        "ensta-python": _Library(folder="ensta_python/hanabi", put="hanabi/"),
        "cs221-python": _Library(
            folder="firebox_cs221",
            put="",
            only=("simulator.py", "util.py"),
            replaced=(b"from firebox_cs221.util import", b"from util import"),
        ),
    }
)


def starter_files(
    game: str,
    options: JsonObject | None = None,
    *,
    library: bool = True,
    interface: str = "python",
) -> Mapping[str, bytes]:
    """The kit's files by name, sorted; without ``library`` for where ``firebox`` is installed.

    Options that are not given are those of the variant that the interface's agents play. Raises
    RulesError for a game or options that can't be played, or not by agents of this interface;
    LookupError for want of a kit.
    """
    if interface not in INTERFACES:
        raise LookupError(f"there is no starter kit for the interface {interface}")
    rules = _rules(game, options or {}, INTERFACES[interface])
    folder = _folder(f"{_place(interface)}/{game}")
    if not folder.is_dir():
        raise LookupError(f"there is no starter kit for the game {game} and {interface}")
    files = dict(_files(folder, ""))
    text = json.dumps({"game": game, "options": dict(rules.options)}, indent=2)
    files[_RULES] = text.encode() + b"\n"
    if library and interface in _LIBRARIES:
        files.update(_LIBRARIES[interface].files())
    return dict(sorted(files.items()))


def starter_kit(
    game: str, options: JsonObject | None = None, *, folder: str = "", interface: str = "python"
) -> bytes:
    """The kit as a zip, the same bytes every time; ``folder`` is one to put all files in.

    Raises LookupError for want of a kit.
    """
    archive = io.BytesIO()
    prefix = f"{folder}/" if folder else ""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in starter_files(game, options, interface=interface).items():
            entry = zipfile.ZipInfo(prefix + name, _DATE)
            entry.external_attr = 0o644 << 16
            out.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def write_starter_kit(
    directory: Path,
    game: str,
    options: JsonObject | None = None,
    *,
    library: bool = False,
    interface: str = "python",
) -> tuple[str, ...]:
    """Write the kit's files into a directory, which is made if need be; their names.

    Raises FileExistsError, before anything is written, rather than overwrite a file.
    """
    files = starter_files(game, options, library=library, interface=interface)
    for name in files:
        if (directory / name).exists():
            raise FileExistsError(f"{directory / name} exists already")
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tuple(files)


def _rules(name: str, options: JsonObject, interface: Interface) -> Game:
    """The rules of a kit. Raises RulesError."""
    usual = {"variant": interface.variant} if interface.variant else {}
    game = game_from_options(name, {**usual, **options})
    if complaint := unfit(interface, game):
        raise RulesError(complaint)
    return game


def _place(interface: str) -> str:
    """Where the kits of an interface are: of programs over standard input, one for a language."""
    family, _, language = interface.partition("-")
    if family == "stdio":
        return f"{family}/starter/{language}"
    return f"{interface.replace('-', '_')}/starter"


def _folder(name: str) -> Traversable:
    """A folder of this package; a name without a slash is that of a package of its own."""
    return resources.files(__package__).joinpath(name) if "/" in name else resources.files(name)


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith(("__", ".")):
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry.read_bytes()
