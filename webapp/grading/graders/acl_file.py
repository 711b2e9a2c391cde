"""Changes Redis' ACL file so that Redis never reads half of it."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from errno import EACCES, EBUSY, EPERM, EROFS, EXDEV
from pathlib import Path
from typing import Final

_ONLY_IN_PLACE: Final = frozenset((EACCES, EPERM, EROFS, EBUSY, EXDEV))
"""The folder is another user's or is read-only, or the file is mounted, as into a container."""


def replace_text(path: Path, change: Callable[[str], str]) -> None:
    """Replace a file's text by what ``change`` makes of it: all of it, or nothing. Raises OSError.

    The file keeps its owner and its permissions. Where only the file itself may be written, it is
    written in place.
    """
    path = path.resolve()
    text = change(path.read_text())
    try:
        _move_into_place(path, text)
    except OSError as error:
        if error.errno not in _ONLY_IN_PLACE:
            raise
        path.write_text(text)


def _move_into_place(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("w") as file:
            partial.chmod(0o600)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        about = path.stat()
        os.chown(partial, about.st_uid, about.st_gid)
        shutil.copymode(path, partial)
        partial.replace(path)
    finally:
        with suppress(OSError):  # it was never made: the folder may be one that nobody can change
            partial.unlink()
