"""The fair turn clock: wall time less the time the kernel kept the process waiting for a processor.

The kernel counts both for every task in ``/proc/<pid>/schedstat``: nanoseconds on a processor,
nanoseconds runnable but waiting, number of time slices. A student's second is therefore the same
second on a busy host. Steal (the hypervisor ran somebody else) is not in that file; a timeout in
which it occurred is doubtful, and the caller plays the game again.
"""

import os
import time
from contextlib import suppress
from typing import Final, NamedTuple

from sandbox.errors import HostError

DOUBT: Final = 1.2
"""A turn that overran its limit by less than this factor is doubtful and worth a second look."""
_USER_HZ: Final = os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What a process has used since it started, in nanoseconds. Made once a turn, so a tuple."""

    ran: int
    waited: int


class ProcessClock:
    """Reads one process's scheduler statistics from the host, through a file kept open."""

    def __init__(self, pid: int) -> None:
        """Raises HostError if the kernel keeps no count.

        A process that is already gone, as an agent is that ends at once, has used nothing.
        """
        self._pid = pid
        self._last = Usage(0, 0)
        flags = os.O_RDONLY | os.O_CLOEXEC
        try:
            self._descriptor = os.open(f"/proc/{pid}/schedstat", flags)
        except FileNotFoundError:
            self._descriptor = os.open(os.devnull, flags)
            return
        with suppress(ProcessLookupError):
            self._require_count()

    def _require_count(self) -> None:
        if len(os.pread(self._descriptor, 64, 0).split()) != 3:
            os.close(self._descriptor)
            raise HostError("the kernel keeps no /proc/<pid>/schedstat (CONFIG_SCHED_INFO)")

    def read(self) -> Usage:
        """Present usage; the last known one when the process has just ended."""
        try:
            ran, waited, _ = os.pread(self._descriptor, 64, 0).split()
        except (OSError, ValueError):
            return self._last
        self._last = Usage(int(ran), int(waited))
        return self._last

    def is_runnable(self) -> bool:
        """Whether it runs or waits for a processor at this moment, rather than for anything else.

        proc(5): the state follows the name in parentheses, which may hold anything.
        """
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as file:  # noqa: PTH123 - hot on busy hosts
                return file.read().rpartition(b") ")[2][:1] == b"R"
        except OSError:
            return False

    def processor_us(self) -> int:
        """Processor time of all its threads since it started, in microseconds; 0 once it is gone.

        The clock of another process: ``CPUCLOCK_SCHED`` of the kernel's ``posix-timers.h``.
        """
        with suppress(OSError):
            return time.clock_gettime_ns(~self._pid << 3 | 2) // 1000
        return 0

    def peak_memory_kib(self) -> int:
        """Its largest resident set so far; 0 once it is gone."""
        with suppress(OSError), open(f"/proc/{self._pid}/status", encoding="ascii") as lines:  # noqa: PTH123 - once a game
            for line in lines:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
        return 0

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self._descriptor)


def steal_seconds() -> float:
    """Seconds that the hypervisor has kept all processors of this host from running, since boot."""
    with open("/proc/stat", encoding="ascii") as lines:  # noqa: PTH123 - hot when hosts are slow
        fields = lines.readline().split()
    return int(fields[8]) / _USER_HZ if len(fields) > 8 else 0.0
