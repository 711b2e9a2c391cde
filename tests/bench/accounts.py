"""Processor time of other processes, and of the containers that they opened.

Not counted is what Docker and its runtime use to start and end containers.
"""

import os
import subprocess
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from grader.core.errors import SystemFault
from sandbox.container import owned_users
from sandbox.control_groups import control_group
from tests.support.processes import stats

_PROC: Final = Path("/proc")
_LOOK_SECONDS: Final = 0.2
"""Time between two looks at the containers of a command, which it closes in the end."""


class Taken(NamedTuple):
    """Seconds that something took."""

    wall: float
    processor: float


def command_seconds(command: Sequence[str], folder: Path) -> Taken:
    """Run a command there, with its containers looked at meanwhile. Raises SystemFault."""
    accounts, in_containers, used = ContainerAccounts(), 0.0, 0.0
    began = time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            family = children_of(process.pid)
            in_containers = accounts.look(family)
            used = max(used, process_seconds(family))
            time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise SystemFault(f"{' '.join(command[:4])} ended with {process.returncode}")
    return Taken(time.monotonic() - began, used + in_containers)


def process_seconds(pids: Collection[int]) -> float:
    """Return the processor time of these processes, and of their children that have ended."""
    processes = stats()
    ticks = sum(sum(map(int, processes[pid][11:15])) for pid in pids if pid in processes)
    return ticks / os.sysconf("SC_CLK_TCK")


def children_of(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents = {number: int(fields[1]) for number, fields in stats().items()}
    family = [pid]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    return family


class ContainerAccounts:
    """Processor time of the containers of some processes, from when they are first looked at.

    What a container used counts as long as somebody looks while it is open.
    """

    def __init__(self) -> None:
        self._used: dict[Path, float] = {}

    def look(self, owners: Collection[int]) -> float:
        """Look at the containers that these processes have open; return all seconds so far."""
        users = [owned_users(owner) for owner in owners]
        for number in stats():
            with suppress(OSError, ValueError):  # it has just ended
                user = (_PROC / str(number)).stat().st_uid
                if any(user in range_ for range_ in users):
                    self._used.setdefault(control_group("cpuacct", number), 0.0)
        for group in self._used:
            with suppress(OSError):  # its container is closed: the last look stands
                self._used[group] = _group_seconds(group)
        return sum(self._used.values())


def _group_seconds(group: Path) -> float:
    """Return what a control group of version 1 or 2 has used. Raises OSError if it is gone."""
    usage = group / "cpuacct.usage"
    if usage.exists():
        return int(usage.read_text()) / 1e9
    facts = dict(map(str.split, (group / "cpu.stat").read_text().splitlines()))
    return int(facts["usage_usec"]) / 1e6
