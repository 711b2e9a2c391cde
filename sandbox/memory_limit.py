"""A container's memory limit: has it been reached? The host's control groups know.

The kernel ends an agent's process for that, but also when the whole host runs out of memory: agents
are the first to go. Only the first is the agent's doing.
"""

from pathlib import Path
from typing import Final

__all__ = ["reached_memory_limit"]

_ROOT: Final = Path("/sys/fs/cgroup")
_SLACK_BYTES: Final = 4 << 20
"""The kernel refuses several pages at once: the most that was used may be less than the limit."""


def reached_memory_limit(pid: int, root: Path = _ROOT) -> bool:
    """Return whether the control group of a process has ever reached its memory limit.

    True where the host does not show that, as to a worker in a container.
    """
    try:
        return _reached(_folder(pid, root))
    except (OSError, ValueError):
        return True


def _folder(pid: int, root: Path) -> Path:
    """The control group that limits a process's memory. Raises OSError and ValueError."""
    lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    places = {names: path.strip("/") for _, names, path in (line.split(":", 2) for line in lines)}
    for names, path in places.items():
        if "memory" in names.split(","):
            return root / "memory" / path
    return root / places[""] if "" in places else root


def _reached(folder: Path) -> bool:
    """Raises OSError and ValueError. Version 2 counts how often; version 1 knows the most used."""
    if (events := folder / "memory.events").exists():
        words = events.read_text(encoding="ascii").split()
        return int(words[words.index("oom") + 1]) > 0
    most = int((folder / "memory.max_usage_in_bytes").read_text(encoding="ascii"))
    limit = int((folder / "memory.limit_in_bytes").read_text(encoding="ascii"))
    return most > limit - _SLACK_BYTES
