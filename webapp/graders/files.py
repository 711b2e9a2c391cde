"""Changes a file that another program reads, so that it never finds half of it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

__all__ = ["replace_text"]


def replace_text(path: Path, change: Callable[[str], str]) -> None:
    """Replace a file's text by what ``change`` makes of it: all of it, or nothing.

    The file keeps its owner and its permissions. Raises OSError.
    """
    path = path.resolve()
    text = change(path.read_text())
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
        partial.unlink(missing_ok=True)
