"""Bans for a Python agent that plays without a sandbox, by an audit hook. Standard library only.

A help and not a wall: an agent meets what it would meet on the site, so that its author notices at
home. Code that wants to get around a hook can; memory is not limited, and C libraries ask nobody.
"""

import _thread
import os
import resource
import signal
import sys
from errno import ENOENT, EPERM, EROFS
from typing import Any

_ENDING = frozenset({"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"})
"""Starts of processes and programs, for which the system-call filter ends an agent. No event
announces a thread."""

_REFUSED = frozenset(
    {
        "fcntl.flock", "fcntl.lockf", "os.chdir", "os.chmod", "os.chown", "os.kill", "os.killpg",
        "os.link", "os.lockf", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.setxattr",
        "os.symlink", "os.truncate", "os.utime", "resource.prlimit", "resource.setrlimit",
        "socket.__new__", "subprocess.Popen",
    }
)  # fmt: skip
"""Acts that the filter refuses with an error."""

_LOOKING = frozenset({"open", "os.listdir", "os.scandir"})
"""Acts that name a file, or a folder to read."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def install(readable: list[str]) -> None:
    """Ban this process from what the sandbox forbids, until it ends.

    Only files in ``readable`` folders, and modules that can be imported, may be read.
    """
    paths = [path for path in (*readable, *sys.path) if path]
    roots = tuple(os.path.join(os.path.realpath(path), "") for path in paths)  # noqa: PTH118 - pathlib is heap
    known = dict.fromkeys(_ENDING, _end) | dict.fromkeys(_REFUSED, _refuse)
    known |= dict.fromkeys(_LOOKING, lambda *words: _look(roots, *words))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # of the signal below

    def hook(event: str, words: tuple[Any, ...]) -> None:
        act = known.get(event)
        if act is not None:
            act(*words)

    sys.addaudithook(hook)
    for module in filter(None, (_thread, sys.modules.get("threading"))):
        for name in ("start_new_thread", "start_new", "_start_new_thread"):
            if hasattr(module, name):
                setattr(module, name, _end)


def _end(*_: object, **__: object) -> None:
    """End the process as the filter does: with a signal that it cannot catch."""
    signal.signal(signal.SIGSYS, signal.SIG_DFL)
    signal.raise_signal(signal.SIGSYS)


def _refuse(*_: object) -> None:
    raise PermissionError(EPERM, os.strerror(EPERM))


def _look(roots: tuple[str, ...], path: Any = None, _: object = None, flags: int = 0) -> None:
    """Let files of the agent and of the interpreter be read; no other is there in the sandbox."""
    if isinstance(path, int):
        return  # a descriptor, which was opened before
    name = os.fsdecode(path if path is not None else ".")
    if not os.path.join(os.path.realpath(name), "").startswith(roots):  # noqa: PTH118
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), name)
    if flags & _WRITING:
        raise OSError(EROFS, os.strerror(EROFS), name)
