"""Directories and containers that are removed after their owner's death: their owners, and which of
them live.

Whatever the sandbox leaves outside its own memory carries its owner: the process's pid and its
start time, which together name one process of its PID namespace for ever. Anybody there may remove
a dead owner's directories and containers at any time; there is no other lease. Nobody else may: in
another namespace every owner looks dead, and a sandbox without its files fails its agent's games.

Directories are made in a memory file system. A disk's file system would not do: it caches names
that were looked up in vain, so an agent's next game could tell by time which names the last one
looked up.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Final

_PREFIX: Final = "firebox-"
_MEMORY: Final = ("tmpfs", "ramfs")
_NUMBER: Final = re.compile("[0-9]{1,10}")


def owner() -> str:
    """This process, as ``pid.start time``."""
    return f"{os.getpid()}.{_started_at(os.getpid())}"


def namespace() -> str:
    """The number of the PID namespace in which ``owner`` names this process; 0 without Linux."""
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except FileNotFoundError:
        return "0"


def owner_lives(name: str, of: str = "") -> bool:
    """Return whether the process that ``owner`` named is still there.

    ``of`` is its namespace, empty for this one. True if nobody here can know. Raises OSError if the
    kernel does not tell.
    """
    if of not in ("", namespace()):
        return True
    pid, _, started_at = name.partition(".")
    return _NUMBER.fullmatch(pid) is not None and _started_at(int(pid)) == started_at


def make_scratch(purpose: str) -> Path:
    """Create a directory for this process, in memory if the host offers that.

    ``FIREBOX_SCRATCH`` names another place for it: where Docker, too, has it under that name.
    """
    name = f"{_PREFIX}{purpose}-{namespace()}-{owner()}-"
    return Path(tempfile.mkdtemp(prefix=name, dir=_scratch_root()))


def remove_scratch(directory: Path) -> None:
    """Delete the directory. Safe to call twice."""
    shutil.rmtree(directory, ignore_errors=True)


def owned_scratch() -> set[Path]:
    """Return the existing directories of this process."""
    return {path for folder in _places() for path in folder.glob(f"{_PREFIX}*-{owner()}-*")}


def reap_scratch() -> int:
    """Delete the directories of processes that have ended, wherever they can be.

    Returns how many there were. Raises OSError if the kernel does not tell who lives.
    """
    folders = [path for folder in _places() for path in folder.glob(f"{_PREFIX}*-*.*-*")]
    dead = [path for path in folders if not _in_use(path)]
    for path in dead:
        remove_scratch(path)
    return len(dead)


def _in_use(path: Path) -> bool:
    *_, of, name, _ = path.name.split("-")
    return owner_lives(name, of if of.isdigit() else "")  # older versions named no namespace


def scratch_is_memory() -> bool:
    """Return whether these directories are in a memory file system."""
    return _file_system(_scratch_root()) in _MEMORY


def scratch_free_share() -> float:
    """Return the share of these directories' file system that is free. Raises OSError."""
    usage = shutil.disk_usage(_scratch_root())
    return usage.free / usage.total


def _scratch_root() -> Path:
    if named := os.environ.get("FIREBOX_SCRATCH", "").strip():
        return Path(named).resolve()
    for folder in _places():
        if os.access(folder, os.W_OK) and _file_system(folder) in _MEMORY:
            return folder
    return Path(tempfile.gettempdir()).resolve()


def _places() -> list[Path]:
    """Places where directories may have been made, by processes with any settings."""
    names = (
        os.environ.get("FIREBOX_SCRATCH", "").strip(),
        "/run",
        "/dev/shm",  # noqa: S108
        os.environ.get("XDG_RUNTIME_DIR", ""),
        tempfile.gettempdir(),
    )
    return list(dict.fromkeys(Path(name).resolve() for name in names if name))


def _file_system(path: Path) -> str:
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    kinds = {words[1]: words[2] for words in map(str.split, mounts.splitlines())}
    resolved = path.resolve()
    places = (str(folder) for folder in (resolved, *resolved.parents))
    return next((kinds[folder] for folder in places if folder in kinds), "")


def _started_at(pid: int) -> str:
    """Start time of a process in clock ticks since boot; ``gone`` if there is none."""
    try:
        statistics = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return "gone"
    return statistics.rpartition(")")[2].split()[19]
