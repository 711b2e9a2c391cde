"""One agent process as the host sees it: its pipes, its clock, its end.

``ask`` is the hot loop of the whole service. On the fast path a turn costs one write, one poll and
one read; the reply's wall time, an upper bound of the charged time, is what is charged. Only a turn
that takes longer than ``_PATIENCE_MS`` is measured by the scheduler's figures. Their values
when it began come from a reading that is at most ``_FRESH_NS`` old.
"""

import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from sandbox.backlog import FORGIVEN_BYTES, Backlog
from sandbox.clock import HostClock, ProcessClock, Usage, own_wait_ns
from sandbox.errors import SandboxLost
from sandbox.exits import Exit, ExitKind, StderrDrain, exit_kind
from sandbox.limits import Limits
from sandbox.timeouts import AskFailure, AskFailureKind, Meter

_PATIENCE_MS: Final = 20
"""The time of a turn after which its charge is computed from the scheduler's figures."""
_PATIENCE_NS: Final = _PATIENCE_MS * 1_000_000
_POLL_MS: Final = 10
"""The interval at which a slow turn is checked."""
_POLL_NS: Final = _POLL_MS * 1_000_000
_FRESH_NS: Final = 2_000_000
"""The time for which the scheduler's figures count as current. A slow turn is
undercharged by at most as much."""
_TOLERATED_BETWEEN_NS: Final = 20_000_000
"""Processor time between turns that is not charged: the end of the last reply, page faults."""
_FAREWELL_SECONDS: Final = 0.25
"""Wall time that a process gets to end by itself after its game."""
_LAST_WORDS_SECONDS: Final = 0.25
"""Wall time that a process gets to print its stack after a timeout."""
_RECEIVED_BYTES: Final = 4096
"""Kept of what came in a turn that failed."""
_KILL_SECONDS: Final = 10.0
"""Wall time within which the supervisor must report a killed process, on however busy a host."""


class Control(Protocol):
    """The parts of its sandbox's supervisor that a process needs."""

    def stop(self) -> None: ...

    def resume(self) -> None: ...

    def kill(self) -> None: ...

    def interrupt(self) -> None: ...

    def wait_exit(self, seconds: float) -> tuple[int, int, int, int] | None: ...

    def require_own_end(self) -> None: ...


ProcessHandle: TypeAlias = tuple[tuple[int, int, int], ProcessClock]
"""The host's ends of a process's pipes (stdin, stdout, stderr) and its clock."""


class AgentProcess:
    """A started process. Not thread-safe; close it by ``finish`` in every case."""

    def __init__(
        self,
        control: Control,
        descriptors: tuple[int, int, int],
        clock: ProcessClock,
        limits: Limits,
        keep: Callable[["ProcessHandle"], None] | None = None,
        *,
        fresh: bool = True,
    ) -> None:
        """Takes over the host's ends (stdin, stdout, stderr; all non-blocking) and the clock.

        ``keep`` is for a process that may play another game: it receives the pipes when the game
        ended without a fault and the process answered the end with a line. A process that is not
        ``fresh`` has played before; what it used until now belongs to earlier games.
        """
        self._control, self._keep = control, keep
        self._used_before_us = clock.processor_us() if keep is not None else 0
        self._in, self._out, self._err = descriptors
        self._clock = clock
        self._host, self._limits = HostClock(clock.pid), limits
        self.printed = StderrDrain(self._err, limits.stderr_bytes)
        """Standard error as far as it was read, within its quota."""
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._buffer = b""
        self._bytes_left = limits.stdout_bytes
        # The scheduler's figures: when they were read, and the wall time of the turns since then.
        self._read_at = -_FRESH_NS
        self._usage = Usage(0, 0) if fresh else clock.read()
        self._host_waited = self._answered_ns = 0
        self._lost_ns = 0
        """Time that the host lost in earlier parts of the turn."""
        self._stops = self._at_end = self._is_deaf = False
        self._only_reply = (self._out, select.POLLIN)
        self.charged_us = 0
        """Time charged for the last turn, in microseconds."""
        self.offences = 0
        """The number of times that the process computed while it was not its turn."""

    def ask(self, message: bytes, *, start: bool = False, before_us: int = 0) -> bytes | AskFailure:
        """Send one line and wait for one line, which comes without its newline.

        The whole turn has one deadline; nothing the agent writes moves it. ``start`` applies the
        limit for loading the agent, and charges what has been used since the process began.
        ``before_us`` was charged for earlier parts of the same turn: the limit holds for their sum,
        which ``charged_us`` then has. Raises SandboxLost if the host starves the process beyond
        reason.
        """
        if self._stops:
            self._control.resume()
        if not before_us:
            self._lost_ns = 0
        stolen_ns, began = 0, time.perf_counter_ns()
        if began - self._read_at >= _FRESH_NS:
            stolen_ns = self._read_clocks()
            began = time.perf_counter_ns()
        rest = self._push(message)
        if not rest and not self._buffer and not self._stops and not before_us:
            ready = self._poll.poll(_PATIENCE_MS)
            if ready and ready[0] == self._only_reply:
                chunk = self._buffer = self._read()
                wall = time.perf_counter_ns() - began
                if (
                    wall <= _PATIENCE_NS
                    and 0 < len(chunk) <= self._limits.reply_bytes <= self._bytes_left
                    and chunk.find(b"\n") == len(chunk) - 1
                    and stolen_ns <= _TOLERATED_BETWEEN_NS
                ):
                    self._answered_ns += wall
                    self.charged_us = wall // 1000
                    self._buffer = b""
                    if len(ready) > 1:  # standard error is the only other one that is polled
                        self._take_printed()
                    return chunk[:-1]
        extra_ns = max(0, stolen_ns - _TOLERATED_BETWEEN_NS)
        if extra_ns and not start:  # loading before the other players do is allowed, but counts
            self._note_offence()
        self._host.watch(began, self._host_waited)
        return self._ask_slowly(rest, began, extra_ns, before_us * 1000, start=start)

    def _read_clocks(self) -> int:
        """Read the scheduler's figures; return the time used between turns since the last reading.

        In nanoseconds; it may be negative, for turns need not use all of their wall time.
        """
        usage, before = self._clock.read(), self._usage
        stolen_ns = usage.ran - before.ran - self._answered_ns
        self._usage, self._answered_ns = usage, 0
        self._read_at, self._host_waited = time.perf_counter_ns(), own_wait_ns()
        return stolen_ns

    def _ask_slowly(
        self, rest: bytes, began: int, extra_ns: int, before_ns: int, *, start: bool
    ) -> bytes | AskFailure:
        """Go on waiting with exact charging. ``extra_ns`` was used before the turn, and counts."""
        meter = self._meter(extra_ns + before_ns, start=start)
        meant_ns = _PATIENCE_NS + _POLL_NS
        at_first = self._usage._replace(ran=self._usage.ran + self._answered_ns)
        counted = (0, at_first)
        backlog = Backlog(began, at_first, self._host_waited)
        if not self._buffer and not self._at_end:
            # The agent, once asked, may keep this thread from its processor. Read before a look.
            self._wait(writing=bool(rest), backlog=backlog)
        while True:
            line = self._take_line()
            now = self._clock.read()
            wall_ns = time.perf_counter_ns() - began
            late_ns = self._host.look(meant_ns)
            # A line may have been there when this look was due.
            wall_ns -= backlog.uncharged_ns(late_ns if line is not None else 0)
            meant_ns = _POLL_NS
            self._charge(meter, wall_ns, now, at_first)
            if isinstance(line, AskFailure):
                return line
            overrun = meter.overrun(replied=line is not None)
            if now.waited != counted[1].waited:
                counted = (wall_ns, now)
            if overrun is not None and line is None:
                waiting_ns = self._still_waiting_ns(wall_ns, now, *counted)
                self._charge(meter, wall_ns - waiting_ns, now, at_first)
                overrun = meter.overrun(replied=False)
            if overrun is not None:
                doubtful = meter.is_doubtful(self._lost_ns + self._host.lost_ns())
                return self._with_received(replace(overrun, doubtful=doubtful), line)
            if line is not None:
                self._end_turn(now)
                return line
            if self._at_end:
                return self._closed()
            rest = self._push(rest)
            self._wait(writing=bool(rest), backlog=backlog)

    def _charge(self, meter: Meter, wall_ns: int, *usage: Usage) -> None:
        meter.look(wall_ns, *usage)
        self.charged_us = meter.charged_ns // 1000

    def _end_turn(self, now: Usage) -> None:
        """Note the figures: from here on computing is an offence."""
        self._lost_ns += self._host.lost_ns()
        self._usage, self._answered_ns = now, 0
        self._read_at = -_FRESH_NS
        if self._stops:
            self._control.stop()
        self._take_printed()

    def _still_waiting_ns(self, wall_ns: int, now: Usage, then_ns: int, then: Usage) -> int:
        """Return how long it has waited for a processor since ``then``.

        The kernel counts a wait when it ends. A runnable process that did not run since the last
        count has been waiting.
        """
        if not self._clock.is_runnable():
            return 0
        return max((wall_ns - then_ns) - (now.ran - then.ran), 0)

    def _meter(self, extra_ns: int, *, start: bool) -> Meter:
        limits = self._limits
        seconds = limits.start_seconds if start else limits.turn_seconds
        wall_seconds = max(limits.turn_wall_seconds, seconds)
        return Meter(int(seconds * 1e9), int(wall_seconds * 1e9), extra_ns)

    def usage(self) -> Usage:
        """Return the time and memory that the process has used since it started."""
        return self._clock.read()

    def finish(self, final_message: bytes | None, *, dump_stack: bool = False) -> Exit:
        """End the process and account for it.

        With a ``final_message`` (or after it closed its pipes) the process may first end by itself,
        or say that it can be kept; without, it is killed at once, or, with ``dump_stack``, after
        its adapter had the chance to print where the agent was. Raises SandboxLost when even the
        supervisor does not answer, and for an end that was neither the process's doing nor ours.
        """
        if final_message is not None and not self._at_end:
            said_too_much = bool(self._buffer)
            self._push(final_message)
            if self._keep is not None and not said_too_much and self._is_ready_for_more():
                return self._kept(self._keep)
        os.close(self._in)
        graceful = final_message is not None or self._at_end
        try:
            (status, peak_memory_kib, user_us, system_us), killed = self._end(
                graceful=graceful, dump_stack=dump_stack
            )
            self.printed.drain()
        finally:
            for descriptor in (self._out, self._err):
                os.close(descriptor)
            self._clock.close()
        kind, status = exit_kind(status, killed_by_us=killed)
        if status == -signal.SIGKILL and kind is ExitKind.MEMORY:
            self._control.require_own_end()
        return Exit(
            kind=kind,
            status=status,
            peak_memory_kib=peak_memory_kib,
            user_us=user_us,
            system_us=system_us,
            stderr=self.printed.text(),
        )

    def _is_ready_for_more(self) -> bool:
        """Return whether one line, and no more, answered the end of a game without offences."""
        deadline = time.monotonic() + _FAREWELL_SECONDS
        while not self._at_end and not self._stops and self._buffer.find(b"\n") < 0:
            if time.monotonic() > deadline or len(self._buffer) > self._limits.reply_bytes:
                return False
            self._wait(writing=False)
        return not self._stops and self._buffer.find(b"\n") == len(self._buffer) - 1 >= 0

    def _kept(self, keep: Callable[["ProcessHandle"], None]) -> Exit:
        self.printed.drain()
        end = Exit(
            kind=ExitKind.FINISHED,
            status=0,
            peak_memory_kib=self._clock.peak_memory_kib(),
            user_us=self._clock.processor_us() - self._used_before_us,
            system_us=0,
            stderr=self.printed.text(),
        )
        keep(((self._in, self._out, self._err), self._clock))
        return end

    def _end(self, *, graceful: bool, dump_stack: bool) -> tuple[tuple[int, int, int, int], bool]:
        if self._stops:
            self._control.resume()
        self.printed.drain()
        end = self._await_own_end() if graceful else None
        if end is not None:
            return end, False
        if dump_stack:
            self._control.interrupt()
            end = self._control.wait_exit(_LAST_WORDS_SECONDS)
            if end is not None:
                return end, True
        self._control.kill()
        end = self._control.wait_exit(_KILL_SECONDS)
        if end is None:
            raise SandboxLost("the supervisor did not report the end of a killed process")
        return end, True

    def _await_own_end(self) -> tuple[int, int, int, int] | None:
        end = self._control.wait_exit(_FAREWELL_SECONDS)
        # Only now: a pipe is closed before its process has ended.
        if end is None and self._clock.has_ended():
            end = self._control.wait_exit(_KILL_SECONDS)
        # Still None if only its first thread has ended: an agent can do that.
        return end

    def _take_line(self) -> bytes | AskFailure | None:
        if self._bytes_left < 0:
            quota = self._limits.stdout_bytes
            detail = f"wrote more than {quota} bytes to standard output in one game"
            received = self._buffer[:_RECEIVED_BYTES]
            return AskFailure(kind=AskFailureKind.QUOTA, detail=detail, received=received)
        line, newline, rest = self._buffer.partition(b"\n")
        if len(line) >= self._limits.reply_bytes:
            detail = f"a reply line has at most {self._limits.reply_bytes} bytes"
            return AskFailure(
                kind=AskFailureKind.LONG_LINE, detail=detail, received=line[:_RECEIVED_BYTES]
            )
        if not newline:
            return None
        self._buffer = rest
        return line

    def _push(self, rest: bytes) -> bytes:
        if not rest:
            return rest
        try:
            return rest[os.write(self._in, rest) :]
        except BlockingIOError:
            return rest
        except BrokenPipeError:
            self._at_end = self._is_deaf = True
            return b""

    def _wait(self, *, writing: bool, backlog: Backlog | None = None) -> None:
        """Wait for bytes, at most until the next look at the clock, and take them."""
        if writing:
            self._poll.register(self._in, select.POLLOUT)
        ready = dict(self._poll.poll(_POLL_MS))
        if writing:
            self._poll.unregister(self._in)
        if backlog is not None:
            is_forgiven = self._err in ready and self.printed.received_bytes < FORGIVEN_BYTES
            backlog.look(self._clock, self.printed.unread_bytes() if is_forgiven else 0)
        if self._err in ready:
            self._take_printed()
        if self._out in ready:
            self._buffer += self._read()

    def _take_printed(self) -> None:
        """Take what was printed before a reply, so that it is known to be of this turn."""
        if not self.printed.drain():
            with suppress(KeyError):  # its end has been seen before
                self._poll.unregister(self._err)

    def _read(self) -> bytes:
        try:
            chunk = os.read(self._out, 65536)
        except BlockingIOError:  # the agent has read the announced bytes itself
            return b""
        self._at_end = not chunk
        self._bytes_left -= len(chunk)
        return chunk

    def unread(self) -> bytes:
        """Return the beginning of what was written after the last reply, without waiting."""
        if not self._at_end:
            self._buffer += self._read()
        return self._buffer[:_RECEIVED_BYTES]

    def _with_received(self, failure: AskFailure, line: bytes | None) -> AskFailure:
        if line is not None:
            return replace(failure, received=line[:_RECEIVED_BYTES])
        part = self.unread()
        return replace(failure, received=part, unfinished_bytes=len(self._buffer))

    def _closed(self) -> AskFailure:
        pipe = "input" if self._is_deaf else "output"
        detail = f"closed its standard {pipe} before the game was over"
        return self._with_received(AskFailure(kind=AskFailureKind.CLOSED, detail=detail), None)

    def _note_offence(self) -> None:
        """After the first offence the process is stopped whenever it is not its turn."""
        self.offences += 1
        self._stops = True
