"""Tells whether a process was halted from the host: stopped, or frozen with its container.

The scheduler's figures do not show it: such a process looks like one that sleeps. An agent in a
container can do neither to itself.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from sandbox.control_groups import ROOT, control_group

STOPPED: Final = frozenset({b"T", b"t"})
"""The states of a process that a signal or a debugger has stopped (proc(5))."""
_FROZEN: Final = ("FROZEN", "frozen 1")
"""The words of the kernel's control groups, of version 1 and 2."""


class Halts:
    """Watches one process. Cheap enough for each look at a slow turn."""

    def __init__(self, pid: int, root: Path = ROOT) -> None:
        """Nothing counts as frozen if the control groups cannot be seen, or ``pid`` has ended."""
        self._stat = f"/proc/{pid}/stat"
        self._freezer: Path | None = None
        with suppress(OSError, ValueError):
            group = control_group("freezer", pid, root)
            files = (group / "freezer.state", group / "cgroup.events")
            self._freezer = next((file for file in files if file.exists()), None)

    def is_halted(self) -> bool:
        """Return whether the process is halted now."""
        return self._is_stopped() or self.is_frozen()

    def is_frozen(self) -> bool:
        """Return whether its container is frozen now."""
        if self._freezer is None:
            return False
        try:
            with open(self._freezer, encoding="ascii") as file:  # noqa: PTH123 - runs at each look at a slow turn
                return any(line.rstrip() in _FROZEN for line in file)
        except OSError:
            return False

    def _is_stopped(self) -> bool:
        try:
            with open(self._stat, "rb") as file:  # noqa: PTH123 - as above
                return file.read().rpartition(b") ")[2][:1] in STOPPED
        except OSError:
            return False
