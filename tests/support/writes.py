"""What this process writes to the file system, as the interpreter's own audit events tell it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGES: Final = {
    "os.mkdir": 0, "os.symlink": 1, "os.link": 1, "os.rename": 1, "os.truncate": 0, "os.chmod": 0,
    "os.remove": 0, "os.rmdir": 0,
}  # fmt: skip
"""Events of changes, and which of their arguments is the path that is changed."""

_listeners: list[list[str]] = []


@contextmanager
def noted_writes() -> Iterator[list[str]]:
    """The paths that are written, made or removed meanwhile, by any thread of this process.

    A file that is changed through a descriptor (``fchmod``) was opened before, and noted then.
    """
    _hook_once()
    paths: list[str] = []
    _listeners.append(paths)
    try:
        yield paths
    finally:
        _listeners.remove(paths)


def _hook_once() -> None:
    """Audit hooks stay for the life of a process; this one does nothing while nobody listens."""
    if not getattr(sys, "_firebox_notes_writes", False):
        sys._firebox_notes_writes = True  # type: ignore[attr-defined]
        sys.addaudithook(_note)


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listeners:
        return
    path: Any = None
    if event == "open" and arguments[2] & _WRITING:
        path = arguments[0]
    elif event in _CHANGES:
        path = arguments[_CHANGES[event]]
    if path is None or isinstance(path, int):
        return
    for paths in _listeners:
        paths.append(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 - resolves no link
