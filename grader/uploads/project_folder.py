"""Packs a project's folder on this computer, by the rules by which the site reads an archive."""

import stat
from collections.abc import Collection, Iterator
from os import lstat, walk
from pathlib import Path, PurePath
from typing import Final

from grader.core.errors import UploadRejected
from grader.uploads.archive import DEFAULT_LIMITS
from grader.uploads.clutter import (
    build_output,
    environment_of,
    environments,
    is_clutter,
    is_systems_own,
    is_unread,
    named_folders,
)
from grader.uploads.left_out import notes_on
from grader.uploads.lighten import Light, zipped
from grader.uploads.zip_reader import check_unpacked

_MOST_FILES: Final = 10 * DEFAULT_LIMITS.files
_MOST_COUNTED: Final = 500_000
"""Files below the folder, with those that are left out."""


def packed_folder(folder: Path) -> Light:
    """Return the folder's files as a zip, to be checked like any other; notes on others.

    Files that no agent reads are packed empty, so that the check notes them, too. Links and hidden
    files are not packed. Raises UploadRejected for a folder that has too much, and OSError.
    """
    sizes, folders = _listed(folder)
    unread = {name: size for name, size in sizes.items() if is_unread(name)}
    output = build_output([name for name in sizes if name not in unread])
    chosen = [name for name in sizes if name not in unread and name not in output]
    check_unpacked({name: sizes[name] for name in chosen}, DEFAULT_LIMITS)
    files = _read(folder, chosen)
    named = named_folders(frozenset(output.values()), files)
    more = [name for name, within in output.items() if within in named]
    check_unpacked({name: sizes[name] for name in [*chosen, *more]}, DEFAULT_LIMITS)
    files |= _read(folder, more)
    for name, within in output.items():
        if within not in named:
            folders.setdefault(within, []).append(sizes[name])
    packed = {_zip_name(name): data for name, data in (files | dict.fromkeys(unread, b"")).items()}
    return Light(zipped(packed), tuple(notes_on(folders, unread)))


def _read(folder: Path, names: Collection[str]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names}


def _zip_name(name: str) -> str:
    """A name that is not text gets backslashes, and is left out with a note.

    After a slash, backslashes do not stand for folders.
    """
    escaped = name.encode("utf-8", "backslashreplace").decode()
    return name if escaped == name else f"./{escaped}"


def _listed(top: Path) -> tuple[dict[str, int], dict[str, list[int]]]:
    sizes: dict[str, int] = {}
    folders: dict[str, list[int]] = {}
    kept = 0
    for count, (name, size) in enumerate(_files(top)):
        folder = _clutter_folder(name)
        if folder is None:
            sizes[name] = size
            kept += not is_unread(name)
        elif not is_systems_own(name):
            folders.setdefault(folder, []).append(size)
        if kept > _MOST_FILES or count >= _MOST_COUNTED:
            most = _MOST_FILES if kept > _MOST_FILES else _MOST_COUNTED
            raise UploadRejected(
                f"{top} has more than {most} files: is it an agent's folder?",
                "Name the folder with the agent's sources.",
            )
    known = environments(sizes)
    for name in [*sizes] if known else ():
        if environment := environment_of(name, known):
            folders.setdefault(environment, []).append(sizes.pop(name))
    return sizes, folders


def _files(top: Path) -> Iterator[tuple[str, int]]:
    def check(error: OSError) -> None:
        folder = PurePath(error.filename).relative_to(top).as_posix()
        if _clutter_folder(f"{folder}/file") is None:
            raise error

    for parent, _, names in walk(top, onerror=check):
        folder = PurePath(parent).relative_to(top)
        for name in sorted(names):
            try:
                status = lstat(f"{parent}/{name}")
            except FileNotFoundError:  # a tool is at work in the folder
                continue
            if stat.S_ISREG(status.st_mode):
                yield (folder / name).as_posix(), status.st_size


def _clutter_folder(name: str) -> str | None:
    """Return the outermost clutter folder of a file, ``""`` if it alone is clutter, or ``None``."""
    *folders, last = name.split("/")
    for depth, folder in enumerate(folders, start=1):
        if folder.startswith(".") or is_clutter(folder, is_folder=True):
            return "/".join(folders[:depth])
    return "" if last.startswith(".") or is_clutter(last, is_folder=False) else None
