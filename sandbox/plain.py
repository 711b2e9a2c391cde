"""Sandboxes without any confinement: for laptops without Docker, and as the benchmark's yardstick.

The same supervisor, the same process per game, the same clock; but nothing keeps the agent from
the host (``inside.bans`` is a help, not a wall). Never used for anybody's code but one's own.
"""

import os
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from sandbox.control import ControlSocket, Sandbox
from sandbox.directory import SandboxDirectory, configuration
from sandbox.errors import HostError
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Program

_HANG_UP_SECONDS = 5.0


@dataclass(slots=True)
class PlainSandbox(OpenSandbox):
    """A supervisor as an ordinary child process of this one."""

    _supervisor: "subprocess.Popen[bytes]"

    def close(self) -> None:
        """End the supervisor and delete its files."""
        self.sandbox.forget()
        self._control.close()
        _end(self._supervisor)
        self.directory.remove()


def open_plain(
    program: Program,
    limits: Limits,
    *,
    core: int | None,
    interpreter: str = sys.executable,
    has_bans: bool = False,
) -> PlainSandbox:
    """Start an unconfined supervisor. Raises HostError where the host is not Linux.

    ``interpreter`` is the Python that runs it, and so the agents. ``has_bans``: an audit hook tells
    an agent in Python of what the sandbox would forbid.
    """
    if not sys.platform.startswith("linux"):
        raise HostError("playing agents as plain processes needs Linux")
    with ExitStack() as undo:
        directory = SandboxDirectory(program)
        undo.callback(directory.remove)
        control = ControlSocket(directory.socket, contained=False)
        undo.callback(control.close)
        supervisor = _start(program, limits, directory, interpreter, has_bans=has_bans)
        undo.callback(_end, supervisor)
        undo.callback(control.close)  # first: a supervisor ends when its socket closes
        if core is not None:
            os.sched_setaffinity(supervisor.pid, {core})
        hello = control.accept(lambda: supervisor.poll() is None)
        undo.pop_all()
    sandbox = Sandbox(
        control, limits, reusable=program.adapter.reusable, gc_thread=program.runtime.gc_thread
    )
    return PlainSandbox(sandbox, hello, "", directory, control, supervisor)


def _start(
    program: Program,
    limits: Limits,
    directory: SandboxDirectory,
    interpreter: str,
    *,
    has_bans: bool,
) -> "subprocess.Popen[bytes]":
    paths = {
        "control": str(directory.socket),
        "adapter": str(directory.adapter),
        "agent": str(directory.agent),
        "build": str(directory.build),
    }
    return subprocess.Popen(
        [
            interpreter, "-s", "-S", "-P", "-B",
            str(directory.supervisor / "sandbox" / "inside" / "supervisor.py"),
            configuration(program, limits, paths, confine=False, has_bans=has_bans),
        ],
        env={"PYTHONPATH": str(directory.supervisor), "PYTHONHASHSEED": "0", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def _end(supervisor: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):
        supervisor.wait(_HANG_UP_SECONDS)
        return
    supervisor.kill()
    supervisor.wait()
