"""A slot: one core of this machine, with the sandboxes that it keeps from batch to batch."""

import sys
from dataclasses import dataclass

from grader.play.build_cache import BuildCache
from grader.play.sandbox_cache import SandboxCache
from sandbox.check import run_checks
from sandbox.container import open_container
from sandbox.errors import HostError
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.plain import open_plain
from sandbox.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place where batches are played: one core."""

    core: int | None
    """The processor that sandboxes are bound to; ``None`` leaves that to the kernel."""
    sandboxed: bool = True
    """False: agents run as ordinary processes that nothing confines."""
    has_bans: bool = False
    """True: an audit hook tells agents in Python that are not sandboxed what the site forbids."""
    interpreter: str = sys.executable
    """The Python that runs agents which are not sandboxed."""
    builds: BuildCache | None = None
    """The cache of compiled agents, for later batches."""
    sandboxes: SandboxCache | None = None
    """The cache of open sandboxes, for their agents' next batches; ``None``: each batch closes its
    own."""
    debug: bool = False
    """True: agents are compiled with checks of every memory access, and get more time and memory.
    Such games never count."""
    second_play_within_seconds: float = 20.0
    """The longest pause before a second play of a game; each takes a random part of it."""

    def open_sandbox(self, program: Program, limits: Limits) -> OpenSandbox:
        """Open a sandbox on this core, for the caller to close. Raises HostError or SandboxLost."""
        if self.sandboxed:
            return open_container(program, limits, core=self.core)
        return open_plain(
            program,
            limits,
            core=self.core,
            interpreter=self.interpreter,
            has_bans=self.has_bans,
        )

    def require_confinement(self) -> None:
        """Check the host again. Raises HostError: Docker may come back with other settings."""
        failed = [check for check in run_checks() if not check.ok] if self.sandboxed else []
        if failed:
            what = "; ".join(f"{check.name}: {check.happened}" for check in failed)
            raise HostError(f"checks of this host failed: {what}")
