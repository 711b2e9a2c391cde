"""Control of one sandbox: a supervisor, in a container or not, runs one agent process at a time.

The host's half of the control socket described in ``inside/supervisor.py``. A sandbox serves
any number of games of one agent, each in a fresh process.
"""

import os
import select
import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox.clock import FamilyClock, ProcessClock
from sandbox.errors import SandboxLost
from sandbox.exits import Exit, StderrDrain
from sandbox.limits import Limits
from sandbox.packets import LARGEST, read_exit, read_greeting, read_start
from sandbox.process import AgentProcess, ProcessHandle

_CREDENTIALS: Final = struct.Struct("=iII")
_HELLO_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.5
_FORK_SECONDS: Final = 30.0
"""Wall time for trusted code to answer, on however busy a host; past it the sandbox is lost."""
_BUILD_LOOK_MS: Final = 50
_LAST_WORDS_BYTES: Final = 5000
_STARVED_FACTOR: Final = 20
"""A build that lasts this many times its limit without being charged: the host is unusable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The outcome of a build step: whatever the adapter wrote, to be parsed as hostile."""

    output: bytes
    exit: Exit
    timed_out: bool


_ENDED: Final = "the supervisor ended"
_ENDED_IN_CONTAINER: Final = f"{_ENDED}; its container was stopped or ran out of memory"


class ControlSocket:
    """Listens for one supervisor, then talks to it.

    ``packets`` reads the answers: anything but the packet that was due is a SandboxLost.
    """

    def __init__(self, path: Path, *, contained: bool = True) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._listener.bind(str(path))
        path.chmod(0o666)
        self._listener.listen(1)
        self._path = path
        self._socket: socket.socket | None = None
        self._ended = _ENDED_IN_CONTAINER if contained else _ENDED
        self.supervisor_pid = 0
        """The supervisor's pid on this host, once it has greeted."""
        self.reached_memory_limit: Callable[[], bool] = lambda: True
        """Tells whether its container was ever full, or might have been."""

    def accept(self, is_alive: Callable[[], bool]) -> dict[str, object]:
        """Wait for the supervisor and return its greeting.

        ``is_alive`` tells whether it can still come. Raises SandboxLost with the reason if not.
        """
        try:
            self._socket = self._await_connection(is_alive)
        finally:
            self._listener.close()
            self._path.unlink()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        data, self.supervisor_pid = self._await_packet(_HELLO_SECONDS)
        return read_greeting(data)

    def require_own_end(self) -> None:
        """Raise SandboxLost if a process was killed whose container has never been full.

        An agent can send no signals: the host was out of memory, or somebody there killed it. If
        its supervisor was killed as well, nobody can tell any more how full the container was.
        """
        has_reached = self.reached_memory_limit()
        if not self.is_quiet:
            raise SandboxLost(self._ended)
        if not has_reached:
            raise SandboxLost("a process was killed that had not reached its memory limit")

    def _await_connection(self, is_alive: Callable[[], bool]) -> socket.socket:
        deadline = time.monotonic() + _HELLO_SECONDS
        self._listener.settimeout(_POLL_SECONDS)
        while time.monotonic() < deadline:
            try:
                return self._listener.accept()[0]
            except TimeoutError:
                if not is_alive():
                    raise SandboxLost("the supervisor ended before it was ready") from None
        raise SandboxLost(f"no supervisor answered within {_HELLO_SECONDS:g} s")

    @property
    def is_quiet(self) -> bool:
        """True if the supervisor is connected and has sent nothing that is unread."""
        if self._socket is None or self._socket.fileno() < 0:
            return False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def spawn(self, command: bytes, descriptors: Sequence[int]) -> tuple[int, bool]:
        """Start a process with these descriptors.

        Returns its pid on this host, and whether it may play more than one game.
        """
        self._send(command, descriptors)
        return read_start(*self._await_packet(_FORK_SECONDS))

    def stop(self) -> None:
        """Suspend the running process."""
        self._send(b"T")

    def resume(self) -> None:
        """Continue a suspended process."""
        self._send(b"C")

    def kill(self) -> None:
        """End the running process."""
        self._send(b"K")

    def interrupt(self) -> None:
        """Make the running process print its stack to standard error and exit."""
        self._send(b"W")

    def wait_exit(self, seconds: float) -> tuple[int, int, int, int] | None:
        """Status, peak memory (KiB), user and system time (µs) of the process once it ended."""
        try:
            data, _ = self._receive(seconds)
        except TimeoutError:
            return None
        return read_exit(data)

    def close(self) -> None:
        """Close the connection, which ends the supervisor and its container. Idempotent."""
        self._listener.close()
        with suppress(FileNotFoundError):
            self._path.unlink()
        if self._socket is not None:
            self._socket.close()

    def _send(self, command: bytes, descriptors: Sequence[int] = ()) -> None:
        if self._socket is None:
            raise SandboxLost("no supervisor is connected")
        try:
            socket.send_fds(self._socket, [command], list(descriptors))
        except OSError as error:
            raise SandboxLost(f"the supervisor is gone: {error}") from error

    def _await_packet(self, seconds: float) -> tuple[bytes, int]:
        """The same, but no answer means that the sandbox is lost."""
        try:
            return self._receive(seconds)
        except TimeoutError as error:
            raise SandboxLost(f"the supervisor did not answer within {seconds:g} s") from error

    def _receive(self, seconds: float) -> tuple[bytes, int]:
        """Receive a message and its sender's pid, translated by the kernel. Raises TimeoutError."""
        if self._socket is None:
            raise SandboxLost("no supervisor is connected")
        self._socket.settimeout(seconds)
        space = socket.CMSG_SPACE(_CREDENTIALS.size)
        try:
            data, ancillary, _, _ = self._socket.recvmsg(LARGEST, space)
        except ConnectionError as error:
            raise SandboxLost(f"the supervisor is gone: {error}") from error
        if not data:
            raise SandboxLost(self._ended)
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                pid, _, _ = _CREDENTIALS.unpack(content[: _CREDENTIALS.size])
                return data, int(pid)
        return data, 0


class Sandbox:
    """Starts agent processes through one supervisor."""

    def __init__(
        self, control: ControlSocket, limits: Limits, *, reusable: bool = False, gc_thread: str = ""
    ) -> None:
        """``reusable``: a process that ended its game without a fault plays the next one too,
        unless it declared, before it loaded the agent, that it may not.

        ``gc_thread`` names the thread of its runtime whose time the clock counts as well.
        """
        self._control = control
        self.limits = limits
        """The limits of each of its processes."""
        self._reusable = reusable
        self._gc_thread = gc_thread
        self._may_play_more = False
        self._kept: ProcessHandle | None = None

    @property
    def supervisor_pid(self) -> int:
        """Pid of the supervisor on this host."""
        return self._control.supervisor_pid

    def start_process(self) -> AgentProcess:
        """Start a process, which loads no agent yet. Raises SandboxLost or HostError."""
        kept = self._take_kept()
        process = kept or self._spawn(b"S")
        keep = self._put_aside if self._may_play_more else None
        return AgentProcess(self._control, *process, self.limits, keep, fresh=kept is None)

    def end_kept(self) -> None:
        """End a process that was kept, so that the next game has a fresh one. Raises
        SandboxLost."""
        if (kept := self._take_kept()) is not None:
            AgentProcess(self._control, *kept, self.limits).finish(None)

    def forget(self) -> None:
        """Give up a process that was kept for another game: the sandbox is about to close."""
        if self._kept is not None:
            (descriptors, clock), self._kept = self._kept, None
            for descriptor in descriptors:
                os.close(descriptor)
            clock.close()

    def _put_aside(self, process: ProcessHandle) -> None:
        self._kept = process

    def _take_kept(self) -> ProcessHandle | None:
        kept, self._kept = self._kept, None
        if kept is None:
            return None
        poll = select.poll()
        poll.register(kept[0][1], 0)  # polls only for a closed pipe
        if not poll.poll(0):
            return kept
        process = AgentProcess(self._control, *kept, self.limits)
        process.finish(None)
        return None

    def build(self, *, seconds: float, output_bytes: int) -> Build:
        """Run the build step and collect its output, bounded in charged time and in size."""
        self.end_kept()
        (stdin, stdout, stderr), clock = self._spawn(b"B")
        os.close(stdin)
        process = AgentProcess(
            self._control, (os.open(os.devnull, os.O_WRONLY), stdout, stderr), clock, self.limits
        )
        try:
            charged = FamilyClock(clock.pid).read
            output, complete = _read_all(stdout, charged, seconds, output_bytes, process.printed)
        except SandboxLost:
            with suppress(SandboxLost):  # report the first error
                process.finish(None)
            raise
        ended = process.finish(b"" if complete else None)
        return Build(output=output, exit=ended, timed_out=not complete)

    def _spawn(self, command: bytes) -> ProcessHandle:
        ours: list[int] = []
        theirs: list[int] = []
        try:
            _open_pipes(ours, theirs)
            stdin, stdout, stderr = ours
            pid = self._spawn_with(command, theirs, stderr)
            return (stdin, stdout, stderr), self._clock_of(pid)
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)

    def _spawn_with(self, command: bytes, descriptors: Sequence[int], our_stderr: int) -> int:
        try:
            pid, may_play_more = self._control.spawn(command, descriptors)
        except SandboxLost as error:
            if complaint := _what_is_there(our_stderr):
                raise SandboxLost(f"{error}; it said: {complaint}") from error
            raise
        self._may_play_more = self._reusable and may_play_more
        return pid

    def _clock_of(self, pid: int) -> ProcessClock:
        """Return the clock of a process just started, or end it if it cannot be measured."""
        try:
            return ProcessClock(pid, self._gc_thread)
        except BaseException:
            self._abandon()
            raise

    def _abandon(self) -> None:
        with suppress(SandboxLost):
            self._control.kill()
            self._control.wait_exit(_FORK_SECONDS)


def _open_pipes(ours: list[int], theirs: list[int]) -> None:
    """Add our ends and a process's ends of its stdin, stdout and stderr. Ours do not block."""
    for we_write in (True, False, False):
        reading, writing = os.pipe2(os.O_CLOEXEC)
        our_end, its_end = (writing, reading) if we_write else (reading, writing)
        ours.append(our_end)
        theirs.append(its_end)
        os.set_blocking(our_end, False)


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _what_is_there(descriptor: int) -> str:
    """Return the output of a process that failed before it loaded an agent: it is ours."""
    try:
        return os.read(descriptor, 65536)[:_LAST_WORDS_BYTES].decode(errors="replace").strip()
    except BlockingIOError:
        return ""


def _read_all(
    descriptor: int,
    charged: Callable[[], float],
    seconds: float,
    limit_bytes: int,
    printed: StderrDrain,
) -> tuple[bytes, bool]:
    """Read until end of file; the flag is False if time or size ran out first.

    Takes what is ``printed`` meanwhile: a compiler with more to say than a pipe holds would wait.
    ``charged`` tells how many of the ``seconds`` are gone: waiting for a processor does not count,
    neither that of the process nor that of programs it started. Raises SandboxLost if the host
    gives them none for very much longer.
    """
    began = time.monotonic()
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.register(printed.descriptor, select.POLLIN)
    output = bytearray()
    while len(output) <= limit_bytes:
        wall = time.monotonic() - began
        if charged() > seconds:
            return bytes(output), False
        if wall > _STARVED_FACTOR * seconds:
            raise SandboxLost(f"the host gave a build no processor for {wall:.0f} s")
        ready = [at for at, _ in poll.poll(_BUILD_LOOK_MS)]
        if printed.descriptor in ready and not printed.drain():
            poll.unregister(printed.descriptor)
        if descriptor not in ready:
            continue
        try:
            chunk = os.read(descriptor, 65536)
        except BlockingIOError:  # what was announced has been taken back
            continue
        if not chunk:
            return bytes(output), True
        output += chunk
    return bytes(output), False
