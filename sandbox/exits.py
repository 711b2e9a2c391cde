"""The end of an agent's process, and what it left on standard error."""

import os
import signal
import sys
from dataclasses import dataclass
from enum import StrEnum
from fcntl import ioctl
from termios import FIONREAD
from typing import Final

STATUS_EXCEPTION: Final = 70
STATUS_MEMORY: Final = 71
STATUS_UNLOADABLE: Final = 72
STATUS_INTERRUPTED: Final = 74
"""Exit statuses that adapters agree on. An agent can exit with them too, and only changes the name
of its own fault."""

STATUS_OURS: Final = 75
"""The status of a build step that lacked something of ours, before it read the agent."""

_SIGNAL_NAMES: Final = {number.value: number.name for number in signal.Signals}


class ExitKind(StrEnum):
    """The way in which a process ended."""

    FINISHED = "finished"
    """Exit status 0."""
    FAILED = "failed"
    """Another exit status, an uncaught exception among them."""
    MEMORY = "memory"
    """Out of memory: refused by the process's own limit, or killed for the container's."""
    FORBIDDEN = "forbidden"
    """Ended by the system-call filter: it tried to start a thread, a process or a program."""
    SIGNALLED = "signalled"
    """A signal of its own making: segmentation fault, abort."""
    KILLED = "killed"
    """Ended by us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """The end of one process."""

    kind: ExitKind
    status: int
    """Exit status, or the negated number of the signal that ended it."""
    peak_memory_kib: int
    user_us: int
    system_us: int
    stderr: str
    """First and last part of standard error, undecodable bytes escaped."""

    def describe(self) -> str:
        """Describe the end, for a student's page."""
        if self.kind is ExitKind.KILLED:
            return "still running, ended by the sandbox"
        if self.kind is ExitKind.FORBIDDEN:
            return "ended by the system-call filter (SIGSYS)"
        if self.status < 0:
            return f"signal {-self.status} ({_SIGNAL_NAMES.get(-self.status, 'real-time signal')})"
        return f"exit status {self.status}"


def exit_kind(wait_status: int, *, killed_by_us: bool) -> tuple[ExitKind, int]:
    """Classify a status as ``wait4`` reports it; second comes the status as in ``Exit``."""
    status = os.waitstatus_to_exitcode(wait_status)
    if status == -signal.SIGSYS:
        return ExitKind.FORBIDDEN, status
    if killed_by_us and status in (STATUS_INTERRUPTED, -signal.SIGUSR1):
        return ExitKind.KILLED, status
    if status == -signal.SIGKILL:
        # Nobody else in the container may send signals: if it was not us, it was the kernel.
        return (ExitKind.KILLED if killed_by_us else ExitKind.MEMORY), status
    if status < 0:
        return ExitKind.SIGNALLED, status
    if status == STATUS_MEMORY:
        return ExitKind.MEMORY, status
    return (ExitKind.FAILED if status else ExitKind.FINISHED), status


class StderrDrain:
    """Reads a pipe without ever blocking and keeps the first and the last half of its quota."""

    def __init__(self, descriptor: int, quota_bytes: int) -> None:
        self.descriptor = descriptor
        """The pipe's end, which stays its owner's."""
        self._half = quota_bytes // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped_bytes = 0
        self.received_bytes = 0
        """Bytes that were read, kept or not."""

    def drain(self, *, at_most_bytes: int = 1 << 20) -> bool:
        """Read all available bytes. Returns False once the pipe is at its end."""
        taken = 0
        while taken < at_most_bytes:
            try:
                chunk = os.read(self.descriptor, 65536)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            taken += len(chunk)
            self._keep(chunk)
        return True

    def unread_bytes(self) -> int:
        """Return how many bytes are in the pipe."""
        return int.from_bytes(ioctl(self.descriptor, FIONREAD, bytes(4)), sys.byteorder)

    def _keep(self, chunk: bytes) -> None:
        self.received_bytes += len(chunk)
        room = self._half - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:] if room > 0 else chunk
        excess = len(self._tail) - self._half
        if excess > 0:
            del self._tail[:excess]
            self._dropped_bytes += excess

    def end(self, *, at_most_bytes: int) -> bytes:
        """Return the last kept bytes."""
        whole = self._tail if self._dropped_bytes else self._head + self._tail
        return bytes(whole[-at_most_bytes:])

    def text(self) -> str:
        """Return the kept text, with a line on how much is missing between head and tail."""
        gap = f"\n[… {self._dropped_bytes} bytes left out …]\n" if self._dropped_bytes else ""
        head, tail = (
            bytes(part).decode("utf-8", "backslashreplace") for part in (self._head, self._tail)
        )
        return f"{head}{gap}{tail}"
