"""Finds the folder of an agent's files in which its processes start: opened by a relative path, its
data are found as at home."""

import os
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

__all__ = ["start_folder"]

_SOURCES: Final = frozenset(
    {".py", ".java", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".hs", ".hs-boot"}
)
_NO_DATA: Final = "firebox.json"
"""Our own file at the top: it names the class that plays."""


def start_folder(names: Iterable[str]) -> str:
    """Return the innermost folder that has all sources, and data in it or below.

    It is empty for the top.

    If there are no data with the sources, programs were run from a folder further out that has
    some; if there are none at all, the folder of the sources is as good as any.
    """
    paths = [PurePosixPath(name) for name in names if name != _NO_DATA]
    sources = [path for path in paths if path.suffix.lower() in _SOURCES]
    data = [path for path in paths if path.suffix.lower() not in _SOURCES]
    if not sources:
        return ""
    innermost = PurePosixPath(os.path.commonpath([path.parent for path in sources]))
    for folder in (innermost, *innermost.parents):
        if any(path.is_relative_to(folder) for path in data):
            return "" if folder == PurePosixPath() else str(folder)
    return "" if innermost == PurePosixPath() else str(innermost)
