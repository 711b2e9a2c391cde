"""Directories and containers that end with their owner: who owns them, and who still lives.

Whatever the sandbox leaves outside its own memory carries its owner: the process's pid and its
start time, which together name one process on this host for ever. A dead owner's things may be
removed by anybody at any time; that is all the lease there is.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_PREFIX: Final = "firebox-"


def owner() -> str:
    """This process, as ``pid.start time``."""
    return f"{os.getpid()}.{_started_at(os.getpid())}"


def owner_lives(name: str) -> bool:
    """Whether the process that ``owner`` named is still there."""
    pid, _, started_at = name.partition(".")
    return pid.isdigit() and _started_at(int(pid)) == started_at


def make_scratch(purpose: str) -> Path:
    """A new directory for this process, in memory if the host offers that."""
    name = f"{_PREFIX}{purpose}-{owner()}-"
    return Path(tempfile.mkdtemp(prefix=name, dir=_scratch_root()))


def remove_scratch(directory: Path) -> None:
    """Delete such a directory. Safe to call twice."""
    shutil.rmtree(directory, ignore_errors=True)


def reap_scratch() -> int:
    """Delete the directories of processes that are gone; returns how many there were."""
    dead = [path for path in _scratch_root().glob(f"{_PREFIX}*-*.*-*") if not _in_use(path)]
    for path in dead:
        remove_scratch(path)
    return len(dead)


def _in_use(path: Path) -> bool:
    return owner_lives(path.name.split("-")[-2])


def _scratch_root() -> Path:
    for candidate in ("/run", os.environ.get("XDG_RUNTIME_DIR", "")):
        if candidate and os.access(candidate, os.W_OK):
            return Path(candidate)
    return Path(tempfile.gettempdir())


def _started_at(pid: int) -> str:
    """Start time of a process in clock ticks since boot; ``gone`` if there is none."""
    try:
        statistics = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "gone"
    return statistics.rpartition(")")[2].split()[19]
