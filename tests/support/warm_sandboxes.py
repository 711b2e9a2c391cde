"""Sandboxes that stay open from test to test of a module.

Opening a sandbox starts a Python, which imports its supervisor and an adapter: 0.1 s of processor
time for each player, and another 0.2 s for a container. A sandbox forks a fresh process for each
game and reads the agent's files only there, so it can serve the agent of the next test as well,
once that one's files lie in its directory.

Sandboxes for machine code are not kept: it is copied into the container when that starts.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sandbox.control import Sandbox
from sandbox.directory import SandboxDirectory
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Program, Purpose


@dataclass(slots=True)
class WarmSandbox:
    """One test's use of an open sandbox: it offers the same, but stays open when it is closed."""

    opened: OpenSandbox
    sandbox: Sandbox
    _free: list[OpenSandbox]

    @property
    def hello(self) -> dict[str, object]:
        return self.opened.hello

    @property
    def image(self) -> str:
        return self.opened.image

    @property
    def directory(self) -> SandboxDirectory:
        return self.opened.directory

    def put_artefact(self, artefact: bytes) -> None:
        """Give later games the outcome of a build step."""
        self.opened.put_artefact(artefact)

    def close(self) -> None:
        """Offer the sandbox to the next test; close it if it was lost or a process runs there."""
        if self.opened in self._free:
            return
        supervisor = self.sandbox.supervisor_pid
        running = Path(f"/proc/{supervisor}/task/{supervisor}/children")
        if running.exists():
            self.sandbox.end_kept()
        if running.exists() and not running.read_text():
            self._free.append(self.opened)
        else:
            self.opened.close()


class WarmSandboxes:
    """Opens sandboxes, those that are free again first."""

    def __init__(self, open_sandbox: Callable[..., OpenSandbox]) -> None:
        """``open_sandbox`` is ``sandbox.plain.open_plain`` or ``open_container``."""
        self._open = open_sandbox
        self._process = os.getpid()
        self._free: dict[object, list[OpenSandbox]] = defaultdict(list)
        self.keeps_new = True
        """True if sandboxes that are opened from now on stay open."""

    def open(self, program: Program, limits: Limits, **where: Any) -> OpenSandbox | WarmSandbox:
        """Return a sandbox for this program. Processes forked from this one open their own."""
        is_forked = os.getpid() != self._process
        if is_forked or program.native or program.purpose is not Purpose.PLAY:
            return self._open(program, limits, **where)
        kind = replace(program, sources=None, artefact=b"")
        free = self._free[kind, limits.memory_mib, *sorted(where.items())]
        try:
            opened = free.pop()
        except IndexError:
            opened = self._open(program, limits, **where)
            if not self.keeps_new:
                return opened
        else:
            _move_in(opened, program)
        adapter = program.adapter
        gc_thread = program.runtime.gc_thread
        sandbox = Sandbox(opened._control, limits, reusable=adapter.reusable, gc_thread=gc_thread)
        return WarmSandbox(opened, sandbox, free)

    def close(self) -> None:
        """Close all sandboxes that are free."""
        for free in self._free.values():
            for opened in free:
                opened.close()
        self._free.clear()


def _move_in(opened: OpenSandbox, program: Program) -> None:
    """Put the files of another agent where those of the last one were.

    The directory itself stays: it is mounted in the container, whose user only others' rights let
    read it.
    """
    directory = opened.directory.agent
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if program.sources is not None:
        opened.put_sources(program.sources)
    opened.put_artefact(program.artefact)
