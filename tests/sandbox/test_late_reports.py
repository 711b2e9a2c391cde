"""The host kills a process, and its supervisor gets no processor to report that in time."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from sandbox.errors import SandboxLost
from sandbox.plain import PlainSandbox, open_plain
from sandbox.process import _FAREWELL_SECONDS, ProcessHandle
from sandbox.timeouts import AskFailure
from tests.sandbox.stage import limits, program
from tests.support.processes import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[PlainSandbox]:
    endless = program("echo", tmp_path, build="endless_build")
    with closing(open_plain(endless, limits(), core=None)) as opened:
        opened._control.reached_memory_limit = lambda: False
        yield opened


def kill(pid: int, supervisor: int) -> None:
    """Kill a process while its supervisor stands still for longer than a farewell takes."""
    os.kill(supervisor, signal.SIGSTOP)
    os.kill(pid, signal.SIGKILL)
    Timer(2 * _FAREWELL_SECONDS, os.kill, (supervisor, signal.SIGCONT)).start()


def test_a_process_that_the_host_killed_is_no_fault_of_its_agent(opened: PlainSandbox) -> None:
    process = opened.sandbox.start_process()
    process.ask(b"hello\n", start=True)
    kill(process._clock.pid, opened.sandbox.supervisor_pid)
    assert isinstance(process.ask(b"there\n"), AskFailure)
    with pytest.raises(SandboxLost, match="had not reached its memory limit"):
        process.finish(None)


def test_a_process_that_the_host_killed_with_its_supervisor_is_no_fault_of_its_agent(
    opened: PlainSandbox,
) -> None:
    opened._control.reached_memory_limit = lambda: True  # as Docker's figures on a dead container
    process = opened.sandbox.start_process()
    process.ask(b"hello\n", start=True)
    os.kill(process._clock.pid, signal.SIGKILL)
    wait_until(lambda: not opened._control.is_quiet, why="no report")
    os.kill(opened.sandbox.supervisor_pid, signal.SIGKILL)
    os.waitid(os.P_PID, opened.sandbox.supervisor_pid, os.WEXITED | os.WNOWAIT)
    assert isinstance(process.ask(b"there\n"), AskFailure)
    with pytest.raises(SandboxLost, match="the supervisor ended"):
        process.finish(None)


def test_a_build_that_the_host_killed_is_no_fault_of_its_sources(
    opened: PlainSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawn, supervisor = opened.sandbox._spawn, opened.sandbox.supervisor_pid

    def spawn_doomed(command: bytes) -> ProcessHandle:
        pipes, clock = spawn(command)
        kill(clock.pid, supervisor)
        return pipes, clock

    monkeypatch.setattr(opened.sandbox, "_spawn", spawn_doomed)
    with pytest.raises(SandboxLost, match="had not reached its memory limit"):
        opened.sandbox.build(seconds=5.0, output_bytes=1000)
