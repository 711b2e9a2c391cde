"""Measures how long a process that prints a lot has only waited for its output to be read.

A process that finds its pipe full sleeps until somebody reads. Its own clock cannot tell that sleep
from one of its own choice, so it is compared with what the reading thread did meanwhile.
"""

import time
from typing import Final

from sandbox.clock import ProcessClock, Usage, own_wait_ns

PERHAPS_FULL_BYTES: Final = 32 << 10
"""The fewest bytes in a pipe in which a write may have to wait.

A pipe has 16 pages, and writes of more than half a page each take one of their own (pipe(7)).
"""

FORGIVEN_BYTES: Final = 32 << 20
"""Once a game has printed as much, a full pipe is the agent's own choice.

A flood is written faster than it is read, and would hold the worker for several times as long as
the agent is charged.
"""


class Backlog:
    """Counts the time in a turn that a process slept because its output had not been read.

    It is at most the time for which the reading thread worked, or waited for a processor, itself:
    a process that sleeps while the thread has nothing to read gains nothing by printing later.
    """

    __slots__ = ("_at", "_last_ns", "_own_ns", "_usage", "_waited_ns")

    def __init__(self, began: int, usage: Usage, own_waited_ns: int) -> None:
        """The turn ``began`` with this usage, and with this value of ``own_wait_ns``."""
        self._at, self._usage = began, usage
        self._own_ns = time.thread_time_ns() + own_waited_ns
        self._waited_ns = self._last_ns = 0

    def look(self, clock: ProcessClock, unread_bytes: int) -> None:
        """Count up to now; ``unread_bytes`` are in the pipe. Call it before they are read."""
        now, is_full = clock.read(), unread_bytes >= PERHAPS_FULL_BYTES
        at, own_ns = time.perf_counter_ns(), time.thread_time_ns() + own_wait_ns()
        self._last_ns = 0
        if is_full and not clock.is_runnable():
            used_ns = now.ran - self._usage.ran + now.waited - self._usage.waited
            self._last_ns = max(0, min(at - self._at - used_ns, own_ns - self._own_ns))
            self._waited_ns += self._last_ns
        self._at, self._usage, self._own_ns = at, now, own_ns

    def uncharged_ns(self, late_ns: int) -> int:
        """Return the time that is not the process's; ``late_ns`` of it since the look before the
        last one, which may be counted already."""
        return self._waited_ns + max(0, late_ns - self._last_ns)
