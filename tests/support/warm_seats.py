"""Seats of ordinary processes that stay open from test to test of a module.

Opening a seat starts a Python, which imports its supervisor and an adapter: 0.1 s of processor time
for each player. A seat forks a fresh process for each game and reads the agent's files only there,
so it can serve the agent of the next test as well, once that one's files lie in its directory.
"""

import shutil
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.control import Sandbox
from sandbox.limits import Limits
from sandbox.plain import PlainSandbox, open_plain
from sandbox.program import Program

__all__ = ["WarmSeats"]


@dataclass(slots=True)
class WarmSeat:
    """One test's use of a seat: a ``PlainSandbox`` that closing keeps open."""

    plain: PlainSandbox
    sandbox: Sandbox
    _free: list[PlainSandbox]

    @property
    def hello(self) -> dict[str, object]:
        """The supervisor's greeting."""
        return self.plain.hello

    @property
    def image(self) -> str:
        """No image."""
        return self.plain.image

    def put_artefact(self, artefact: bytes) -> None:
        """Give later games the outcome of a build step."""
        self.plain.put_artefact(artefact)

    def close(self) -> None:
        """Offer the seat to the next test, or close it if a process still runs there."""
        if self.plain in self._free:
            return
        supervisor = self.sandbox.supervisor_pid
        running = Path(f"/proc/{supervisor}/task/{supervisor}/children")
        if running.exists() and not running.read_text():
            self._free.append(self.plain)
        else:
            self.plain.close()


class WarmSeats:
    """Opens seats as ``sandbox.plain.open_plain`` does, and those that are free again first."""

    def __init__(self) -> None:
        self._free: dict[object, list[PlainSandbox]] = defaultdict(list)

    def open(
        self,
        program: Program,
        limits: Limits,
        *,
        core: int | None,
        interpreter: str = sys.executable,
    ) -> PlainSandbox | WarmSeat:
        """Return a seat for this program. Those whose processes play several games are new."""
        if program.adapter.reusable:
            return open_plain(program, limits, core=core, interpreter=interpreter)
        kind = replace(program, sources=Path(), artefact=b"")
        free = self._free[kind, limits.memory_mib, core, interpreter]
        try:
            plain = free.pop()
        except IndexError:
            plain = open_plain(program, limits, core=core, interpreter=interpreter)
        else:
            _move_in(plain, program)
        sandbox = Sandbox(plain._control, limits, gc_thread=program.runtime.gc_thread)
        return WarmSeat(plain, sandbox, free)

    def close(self) -> None:
        """Close all seats that are free."""
        for free in self._free.values():
            for plain in free:
                plain.close()
        self._free.clear()


def _move_in(plain: PlainSandbox, program: Program) -> None:
    """Put the files of another agent where those of the last one were."""
    shutil.rmtree(plain.directory.agent)
    shutil.copytree(program.sources, plain.directory.agent)
    plain.put_artefact(program.artefact)
