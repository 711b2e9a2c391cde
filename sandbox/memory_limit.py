"""Tells whether a container has reached its memory limit, by control groups or by Docker's figures.

The kernel kills an agent's process at that limit, but also when the whole host runs out of memory.
Only the first is the agent's doing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sandbox.control_groups import ROOT, control_group

_SLACK_BYTES: Final = 4 << 20
"""The kernel refuses several pages at once, so the peak may be lower than the limit."""


def reached_memory_limit(pid: int, root: Path = ROOT) -> bool | None:
    """Return whether the control group of a process has ever reached its memory limit.

    ``None`` where the host does not show that, as to a worker in a container.
    """
    try:
        return _reached(control_group("memory", pid, root))
    except (OSError, ValueError):
        return None


def reached_memory_limit_by(figures: Mapping[str, int]) -> bool:
    """Return the same, by Docker's figures on a container's memory; true if there are none.

    Those of control groups of version 2 lack the peak; their ``failcnt`` is the number of kills at
    the limit, if there were any.
    """
    if "usage" not in figures:
        return True
    if "max_usage" in figures:
        return figures["max_usage"] > figures["limit"] - _SLACK_BYTES
    return figures.get("failcnt", 0) > 0


def _reached(folder: Path) -> bool:
    """Raises OSError and ValueError. Version 2 counts the hits; version 1 knows the peak."""
    if (events := folder / "memory.events").exists():
        words = events.read_text(encoding="ascii").split()
        return int(words[words.index("oom") + 1]) > 0
    most = int((folder / "memory.max_usage_in_bytes").read_text(encoding="ascii"))
    limit = int((folder / "memory.limit_in_bytes").read_text(encoding="ascii"))
    return most > limit - _SLACK_BYTES
