"""Finds the folder of an agent's files in which its processes start: opened by a relative path, its
data are found as at home."""

import os
import re
from pathlib import Path, PurePosixPath
from typing import Final

_SOURCES: Final = frozenset(
    {".py", ".java", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".hs", ".hs-boot"}
)
_NO_DATA: Final = "firebox.json"
"""Our own file at the top: it names the class that plays."""
_PACKAGE: Final = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
"""A declaration in Java; programs are run from the folder that has the packages' folders."""


def start_folder(sources: Path) -> str:
    """Return the innermost folder that has all sources, and data in it or below.

    It is empty for the top.

    If there are no data with the sources, programs were run from a folder further out that has
    some; if there are none at all, the folder of the sources is as good as any.
    """
    folders, data = [], []
    for path in sources.rglob("*"):
        name = PurePosixPath(path.relative_to(sources))
        if path.is_file() and str(name) != _NO_DATA:
            if name.suffix.lower() in _SOURCES:
                folders.append(_without_package(name.parent, path))
            else:
                data.append(name)
    if not folders:
        return ""
    innermost = PurePosixPath(os.path.commonpath(folders))
    for folder in (innermost, *innermost.parents):
        if any(path.is_relative_to(folder) for path in data):
            return "" if folder == PurePosixPath() else str(folder)
    return "" if innermost == PurePosixPath() else str(innermost)


def _without_package(folder: PurePosixPath, source: Path) -> PurePosixPath:
    declared = source.suffix == ".java" and _PACKAGE.search(source.read_bytes())
    parts = os.fsdecode(declared[1]).split(".") if declared else []
    outside = PurePosixPath(*folder.parts[: len(folder.parts) - len(parts)])
    return outside if outside.joinpath(*parts) == folder else folder
