"""Open sandboxes that wait for the next batch of their agent.

Opening a sandbox takes a quarter of a second. A batch of a tournament's table is over in a few
seconds, and its agents play at other tables next: a slot keeps their sandboxes open in between. A
sandbox is only reused for the same agent, limits and core. One game can leave no more to the next
across batches than within one: see `sandbox/README.md`.

A supervisor that an agent had taken over would live as long as its sandbox. So sandboxes are closed
after a while, however often they are used. Their number is limited, too, by a setting and by the
host's memory.

Spare sandboxes are open for agents that nobody knows yet: the agent's files are put into one when
it is taken. No agent was ever in it before.
"""

import hashlib
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Program
from sandbox.scratch import scratch_free_share

MAX_SANDBOXES: Final = 200
"""Sandboxes that a slot keeps open for later: those of Python agents take 23 MiB each."""
FEW_SANDBOXES: Final = 16
"""Sandboxes that a slot keeps open even if memory is short."""
_LEAST_SHARE: Final = 0.4
"""Share of the host's memory that is left to others. If less is available, memory is short."""
MAX_SECONDS: Final = 600.0
"""Time from opening a sandbox to closing it, if it waits for a batch then."""
MAX_SPARES: Final = 2
"""Spare ones among them: as many as two players of a first test need."""
_SPARE_PERIODS: Final = 6
"""A spare sandbox is closed after this multiple of the time for others."""
_POLL_SECONDS: Final = 15.0
_MOST_CLOSING: Final = 40
"""Sandboxes that are being closed or wait for it. Each has its user number until it is closed."""
_MEMORY: Final = Path("/proc/meminfo")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SandboxKey:
    """The arguments that open a sandbox. Sandboxes with equal keys are interchangeable."""

    program: Program
    """Without the sources and the artefact."""
    sources: bytes
    """SHA-256; empty for a spare sandbox."""
    artefact: bytes
    """SHA-256 of machine code; any other artefact is put into an open sandbox."""
    options: tuple[str, ...]
    limits: Limits
    core: int | None

    @property
    def is_spare(self) -> bool:
        """True if it is the key of spare sandboxes."""
        return not self.sources

    @property
    def spare(self) -> "SandboxKey":
        """The key of spare sandboxes that an agent with this key can take."""
        return replace(self, sources=b"", options=())


def sandbox_key(
    program: Program, sources: bytes, options: Sequence[str], limits: Limits, core: int | None
) -> SandboxKey:
    """Return the key of a sandbox. ``sources`` is the SHA-256 of the program's sources, packed."""
    return SandboxKey(
        program=replace(program, sources=None, artefact=b""),
        sources=sources,
        artefact=hashlib.sha256(program.artefact if program.native else b"").digest(),
        options=tuple(options),
        limits=limits,
        core=core,
    )


class SandboxCache:
    """The sandboxes that one slot keeps open. Its methods may be called from any thread."""

    def __init__(
        self, max_open: int = MAX_SANDBOXES, max_seconds: float = MAX_SECONDS, max_spares: int = 0
    ) -> None:
        """``max_open`` of 0 keeps none. The spare ones count too."""
        self._max_open = max_open
        self._max_seconds = max_seconds
        self._new: deque[SandboxKey] = deque(maxlen=min(max_spares, max_open))
        """Keys of the last agents for which no sandbox of their own was open."""
        self._kept: list[tuple[SandboxKey, OpenSandbox]] = []
        """Open sandboxes with their keys, the most recently used last."""
        self._lock = threading.Lock()
        self._closing = ThreadPoolExecutor(max_workers=4, thread_name_prefix="closing sandboxes")
        self._room = threading.BoundedSemaphore(_MOST_CLOSING)

    def take(self, key: SandboxKey, sources: Path, artefact: bytes) -> OpenSandbox | None:
        """Return an open sandbox with this key, for the caller to close or give back.

        If there is none, put ``sources`` into a spare one. Every sandbox gets the ``artefact``.
        Raises OSError if they do not fit.
        """
        self.close_old()
        taken, is_spare = self._ready(key), False
        if taken is None:
            self._new.append(key)
            taken, is_spare = self._ready(key.spare), True
        if taken is None:
            return None
        try:
            if is_spare:
                taken.put_sources(sources)
            taken.put_artefact(artefact)
        except OSError:
            self._close([taken])
            raise
        return taken

    def stock(self, open_sandbox: Callable[[Program, Limits], OpenSandbox]) -> None:
        """Open spare sandboxes for agents like the last new ones; return when they are open.

        Machine code must be there when its sandbox is opened: for it there are no spare ones.
        """
        wanted = Counter(key.spare for key in self._new if not key.program.native)
        self._new.clear()
        with self._lock:
            wanted.subtract(key for key, _ in self._kept)
        if missing := list(wanted.elements()):
            with ThreadPoolExecutor(max_workers=len(missing)) as executor:
                list(executor.map(partial(self._open_spare, open_sandbox), missing))

    def give_back(self, key: SandboxKey, sandbox: OpenSandbox) -> None:
        """Keep a sandbox for later. If there are too many, close those that waited longest."""
        if not _is_free(sandbox):
            self._close([sandbox])
            return
        with self._lock:
            self._kept.append((key, sandbox))
            surplus = self._surplus()
            dropped, self._kept = self._kept[:surplus], self._kept[surplus:]
        self._close(sandbox for _, sandbox in dropped)

    def _surplus(self) -> int:
        """Return the number to close: while memory is short, two for each that is given back."""
        number = len(self._kept)
        shrinks = number > FEW_SANDBOXES and _is_memory_short()
        shrunk = min(number - FEW_SANDBOXES, 2) if shrinks else 0
        return max(0, number - self._max_open, shrunk)

    def close_old(self) -> None:
        """Close the sandboxes that their agents have had, or that were spare, for too long."""
        now = time.monotonic()
        with self._lock:
            old = [opened for key, opened in self._kept if self._is_old(key, opened, now)]
            self._kept = [kept for kept in self._kept if not self._is_old(*kept, now)]
        self._close(old)

    def _is_old(self, key: SandboxKey, opened: OpenSandbox, now: float) -> bool:
        periods = _SPARE_PERIODS if key.is_spare else 1
        return now - opened.opened_at > periods * self._max_seconds

    def close_waiting(self) -> None:
        """Close all sandboxes that wait, and return when they are closed."""
        with self._lock:
            kept, self._kept = self._kept, []
        for closing in self._close(sandbox for _, sandbox in kept):
            closing.result()

    def close(self) -> None:
        """Close all sandboxes, and wait for those that are closing. Nothing may follow."""
        self.close_waiting()
        self._closing.shutdown()

    def watch(self, over: threading.Event) -> None:
        """Close sandboxes as they grow old, until ``over``. For a thread."""
        while not over.wait(_POLL_SECONDS):
            self.close_old()

    def _open_spare(
        self, open_sandbox: Callable[[Program, Limits], OpenSandbox], key: SandboxKey
    ) -> None:
        """Open one, or log why not: the agent that would have taken it opens its own."""
        try:
            self.give_back(key, open_sandbox(key.program, key.limits))
        except (SandboxError, OSError) as error:
            logger.warning("could not open a spare sandbox: %s", error)

    def _ready(self, key: SandboxKey) -> OpenSandbox | None:
        while (sandbox := self._taken(key)) is not None:
            if sandbox.is_ready:
                return sandbox
            self._close([sandbox])
        return None

    def _taken(self, key: SandboxKey) -> OpenSandbox | None:
        with self._lock:
            for at in reversed(range(len(self._kept))):
                if self._kept[at][0] == key:
                    return self._kept.pop(at)[1]
        return None

    def _close(self, sandboxes: Iterable[OpenSandbox]) -> list[Future[None]]:
        """Close in other threads; wait while too many are being closed already."""
        return [self._submitted(sandbox) for sandbox in sandboxes]

    def _submitted(self, sandbox: OpenSandbox) -> Future[None]:
        self._room.acquire()
        closing = self._closing.submit(_close_quietly, sandbox)
        closing.add_done_callback(lambda _: self._room.release())
        return closing


def _is_memory_short() -> bool:
    """Return whether under 40% of memory, or of the sandboxes' file system, is free or known."""
    try:
        lines = _MEMORY.read_text().splitlines()
        if scratch_free_share() < _LEAST_SHARE:
            return True
    except OSError:
        return True
    kibibytes = {
        name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)
    }
    return kibibytes.get("MemAvailable", 0) < _LEAST_SHARE * kibibytes.get("MemTotal", 0)


def _is_free(opened: OpenSandbox) -> bool:
    try:
        opened.sandbox.end_kept()
    except SandboxError:
        return False
    return opened.is_ready


def close_sandboxes(sandboxes: Sequence[OpenSandbox]) -> None:
    """Close sandboxes in parallel, even if closing one fails; then raise its SandboxError."""
    if not sandboxes:
        return
    with ThreadPoolExecutor(max_workers=len(sandboxes)) as executor:
        closing = [executor.submit(sandbox.close) for sandbox in sandboxes]
    for closed in closing:
        closed.result()


def _close_quietly(sandbox: OpenSandbox) -> None:
    """Close an unused sandbox, hiding errors: the reaper removes it later."""
    try:
        sandbox.close()
    except (SandboxError, OSError) as error:
        logger.warning("could not close a sandbox: %s", error)
