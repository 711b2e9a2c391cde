"""A slot: one core of this machine, and what it keeps from batch to batch."""

import sys
from dataclasses import dataclass

from grader.play.builds import BuildCache
from grader.play.seat_cache import OpenSeat, SeatCache
from sandbox.container import open_container
from sandbox.limits import Limits
from sandbox.plain import open_plain
from sandbox.program import Program

__all__ = ["Slot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Where a batch is played."""

    core: int | None
    """The processor that seats are bound to; ``None`` leaves that to the kernel."""
    sandboxed: bool = True
    """Without it agents run as ordinary processes that nothing confines."""
    interpreter: str = sys.executable
    """The Python that runs agents which are not sandboxed."""
    builds: BuildCache | None = None
    """Where what was compiled in a sandbox is kept for later batches."""
    seats: SeatCache | None = None
    """Where open seats wait for the next batch of their agent; ``None``: batches close theirs."""
    debug: bool = False
    """Agents are compiled with checks of every access to memory, and get the time and the memory
    that these take. What comes of it is for their author, and never counts."""
    second_play_within_seconds: float = 20.0
    """The longest pause before a second play of a game; each takes a random part of it."""

    def open_seat(self, program: Program, limits: Limits) -> OpenSeat:
        """Open a seat on this core, for the caller to close. Raises HostError or SandboxLost."""
        if self.sandboxed:
            return open_container(program, limits, core=self.core)
        return open_plain(program, limits, core=self.core, interpreter=self.interpreter)
