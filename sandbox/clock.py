"""The fair turn clock: wall time less the time the kernel kept the process waiting for a processor.

The kernel counts both for every task in ``/proc/<pid>/schedstat``: nanoseconds on a processor,
nanoseconds runnable but waiting, number of time slices. So a student's second is the same second on
a busy host. That file leaves out time in which the host itself stood still or a hypervisor ran
something else. ``HostClock`` counts that time, and a timeout that it explains is doubtful.
"""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from sandbox.errors import HostError
from sandbox.halts import STOPPED, Halts

GIVEN_UP: Final = 1.2
"""Multiple of its limit at which a turn that computes is ended; a reply after the limit is late."""
_STALL_NS: Final = 30_000_000
"""A measurement that is later than this, although its thread could run, shows a host that stood
still, such as a paused machine."""
_USER_HZ: Final = os.sysconf("SC_CLK_TCK")
_HINDERED: Final = frozenset({b"R", b"D"}) | STOPPED
"""States of a process that waits for nothing of its own choice (proc(5))."""
_ENDED: Final = frozenset({b"Z", b"X", b""})
"""States of a process that has ended (proc(5)): its parent has not collected it, or it is gone."""
_LONGEST_SECONDS: Final = 0.25
"""The longest gap between two readings of a family that still counts as measured."""


class Usage(NamedTuple):
    """Times of a process since its start, in nanoseconds. A tuple, as each turn makes one."""

    ran: int
    waited: int


class ProcessClock:
    """Reads one process's scheduler statistics from the host, through files kept open.

    It reads those of the first thread, where the agent runs. ``gc_thread`` names a thread of the
    runtime that works while the first one waits for it, such as a garbage collector: its running
    and waiting time counts as the agent's. Other threads do not count. A compiler thread runs
    beside the agent's, and an agent could make it wait as long as it liked.
    """

    def __init__(self, pid: int, gc_thread: str = "") -> None:
        """Raises HostError if the kernel keeps no count.

        A process that is already gone, as an agent is that ends at once, has used nothing.
        """
        self.pid = pid
        self._states = [f"/proc/{pid}/stat"]
        self._last = Usage(0, 0)
        self._gc_clock = -1
        flags = os.O_RDONLY | os.O_CLOEXEC
        try:
            self._descriptor = os.open(f"/proc/{pid}/schedstat", flags)
        except FileNotFoundError:
            self._descriptor = os.open(os.devnull, flags)
            return
        with suppress(ProcessLookupError):
            self._require_count()
        if gc_thread and (thread := _thread_named(gc_thread, pid)):
            with suppress(OSError):
                self._gc_clock = os.open(f"/proc/{pid}/task/{thread}/schedstat", flags)
                self._states.append(f"/proc/{pid}/task/{thread}/stat")

    def _require_count(self) -> None:
        if len(os.pread(self._descriptor, 64, 0).split()) != 3:
            os.close(self._descriptor)
            raise HostError("the kernel keeps no /proc/<pid>/schedstat (CONFIG_SCHED_INFO)")

    def read(self) -> Usage:
        """Return the current usage, or the last known one if the process has just ended."""
        try:
            ran, waited, _ = os.pread(self._descriptor, 64, 0).split()
            if self._gc_clock < 0:
                self._last = Usage(int(ran), int(waited))
                return self._last
            also_ran, also_waited, _ = os.pread(self._gc_clock, 64, 0).split()
        except (OSError, ValueError):
            return self._last
        self._last = Usage(int(ran) + int(also_ran), int(waited) + int(also_waited))
        return self._last

    def is_runnable(self) -> bool:
        """Return whether it runs or waits for a processor now, rather than for anything else.

        proc(5): the state follows the name in parentheses, which may hold anything.
        """
        return any(map(_is_runnable, self._states))

    def has_ended(self) -> bool:
        """Return whether it has ended, though its parent may not have noticed yet."""
        return _state(self._states[0]) in _ENDED

    def processor_us(self) -> int:
        """Processor time of all its threads since it started, in microseconds; 0 once it is gone.

        The clock of another process: ``CPUCLOCK_SCHED`` of the kernel's ``posix-timers.h``.
        """
        with suppress(OSError):
            return time.clock_gettime_ns(~self.pid << 3 | 2) // 1000
        return 0

    def peak_memory_kib(self) -> int:
        """Its largest resident set so far; 0 once it is gone."""
        with suppress(OSError), open(f"/proc/{self.pid}/status", encoding="ascii") as lines:  # noqa: PTH123 - once a game
            for line in lines:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
        return 0

    def close(self) -> None:
        """Close the descriptors."""
        os.close(self._descriptor)
        if self._gc_clock >= 0:
            os.close(self._gc_clock)


class FamilyClock:
    """Charges wall time to a process and its descendants, such as a compiler.

    While one of them is ready to run, waits for a disk or is halted, only processor time counts:
    the rest is the host's. While all of them wait for something else, such as a timer, all of the
    time counts. Read it often: the state at a reading is assumed to have lasted since the reading
    before, but for ``_LONGEST_SECONDS`` at most. A reader that comes later was itself kept from
    running.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._halts = Halts(pid)
        self._at = time.monotonic()
        self._ran, _ = _family(pid)
        self._charged = 0.0

    def read(self) -> float:
        """Return the seconds charged since this clock was created."""
        now, (ran, is_ready) = time.monotonic(), _family(self._pid)
        passed = now - self._at
        computed = min(passed, max(0.0, ran - self._ran))
        hindered = is_ready or self._halts.is_frozen()
        self._charged += computed if hindered else max(computed, min(passed, _LONGEST_SECONDS))
        self._at, self._ran = now, ran
        return self._charged


def _family(pid: int) -> tuple[float, bool]:
    """Return the processor seconds of a process and its descendants, and whether one is ready to
    run.

    proc(5): a process's own time, that of children it has waited for, and which live.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - twenty times a second
            fields = file.read().rpartition(b") ")[2].split()
        tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - as above
    except OSError:
        return 0.0, False
    ran, is_ready = sum(map(int, fields[11:15])) / _USER_HZ, fields[0] in _HINDERED
    for task in tasks:
        for child in _words(f"/proc/{pid}/task/{task}/children"):
            also_ran, also_ready = _family(int(child))
            ran, is_ready = ran + also_ran, is_ready or also_ready
        is_ready = is_ready or _is_runnable(f"/proc/{pid}/task/{task}/stat")
    return ran, is_ready


def _words(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="ascii").split()
    except OSError:
        return []


def _is_runnable(stat: str) -> bool:
    return _state(stat) == b"R"


def _state(stat: str) -> bytes:
    """The letter for the state of a process or thread; empty once it is gone."""
    try:
        with open(stat, "rb") as file:  # noqa: PTH123 - hot on busy hosts
            return file.read().rpartition(b") ")[2][:1]
    except OSError:
        return b""


def _thread_named(name: str, pid: int) -> str:
    """The number of the process's thread of that name, never the first; empty if there is none."""
    with suppress(OSError):
        for path in Path(f"/proc/{pid}/task").iterdir():
            if path.name != str(pid) and (path / "comm").read_text(encoding="utf-8") == f"{name}\n":
                return path.name
    return ""


class HostClock:
    """Counts the time that the host itself loses during a turn of a process.

    That is time that a hypervisor stole from the processors of that process, stalls, and halts.
    A stall is a late measurement although the measuring thread was able to run; in a halt somebody
    had stopped the process or frozen its container. An agent can cause none of them. A host that is
    only busy loses nothing, since waiting time is in the scheduler's figures. Times in nanoseconds,
    those of day from ``time.perf_counter_ns``.
    """

    def __init__(self, pid: int) -> None:
        """``pid`` is the process whose turns are watched."""
        self._pid = pid
        self._cores: frozenset[int] = frozenset()
        self._halts: Halts | None = None
        self._stolen_before = self._stalled = self._halted = self._looked_at = self._waited = 0

    def watch(self, since: int, waited: int) -> None:
        """Start watching a turn that was requested at ``since``.

        ``waited`` is the value of ``own_wait_ns`` then, or a little before.
        """
        self._cores = self._cores or _cores(self._pid)
        self._stolen_before = stolen_ns(self._cores)
        self._halts = self._halts or Halts(self._pid)
        self._stalled, self._halted, self._looked_at, self._waited = 0, 0, since, waited

    def look(self, after: int) -> int:
        """Take a measurement, due ``after`` nanoseconds after the last one or the request.

        Returns how late it is, or how long this thread waited for a processor since the last one,
        if that is more.
        """
        now, waited = time.perf_counter_ns(), own_wait_ns()
        late, own_wait = max(0, now - self._looked_at - after), waited - self._waited
        stalled = late - own_wait
        if stalled > _STALL_NS:
            self._stalled += stalled
        if self._halts is not None and self._halts.is_halted():
            self._halted += now - self._looked_at
        self._looked_at, self._waited = now, waited
        return max(late, own_wait)

    def lost_ns(self) -> int:
        """Return the time that the host lost in this turn; a stall can appear in all figures."""
        return max(self._stalled, self._halted, stolen_ns(self._cores) - self._stolen_before)


def stolen_ns(cores: frozenset[int]) -> int:
    """Nanoseconds since boot in which a hypervisor kept these processors from running.

    proc(5): the eighth figure of each processor's line, in ticks.
    """
    names = {b"cpu%d" % core for core in cores}
    ticks = 0
    for line in _host_figures().splitlines():
        if not line.startswith(b"cpu"):
            break
        name, *fields = line.split()
        if name in names and len(fields) > 7:
            ticks += int(fields[7])
    return ticks * 1_000_000_000 // _USER_HZ


def _host_figures() -> bytes:
    """Return the beginning of /proc/stat, with the lines of all processors.

    Kept fast: each slow turn reads it twice.
    """
    descriptor = os.open("/proc/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


def _cores(pid: int) -> frozenset[int]:
    try:
        return frozenset(os.sched_getaffinity(pid))
    except ProcessLookupError:
        return frozenset(os.sched_getaffinity(0))


class _Schedstat:
    """The scheduler's statistics of the thread that creates this, read from a file kept open."""

    def __init__(self) -> None:
        self._descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        os.close(self._descriptor)

    def waited_ns(self) -> int:
        return int(os.pread(self._descriptor, 64, 0).split()[1])


class _Own(threading.local):
    """The statistics of each thread that asks, opened at its first question."""

    def __init__(self) -> None:
        self.schedstat = _Schedstat()


_own = _Own()


def _forget_parents() -> None:
    """Open the child's own file after a fork: the inherited one is of the parent's thread."""
    _own.schedstat = _Schedstat()


os.register_at_fork(after_in_child=_forget_parents)


def own_wait_ns() -> int:
    """Return the total time that the calling thread has waited for a processor."""
    return _own.schedstat.waited_ns()
