"""Open seats that wait for the next batch of their agent.

To open a seat takes a quarter of a second. A batch of a tournament's table is over in a few, and
its agents play at other tables next: a slot keeps their seats open in between. A seat is only ever
taken again for the same agent, limits and core. One game can leave no more to the next across
batches than within one: see `sandbox/README.md`.

A supervisor that an agent had taken over would live as long as its seat. So seats are closed after
a while, however often they are used, and their number is limited.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from sandbox.container import ContainerSandbox
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.plain import PlainSandbox
from sandbox.program import Program

__all__ = [
    "MAX_SEATS",
    "MAX_SECONDS",
    "OpenSeat",
    "SeatCache",
    "SeatKey",
    "close_seats",
    "seat_key",
]

OpenSeat: TypeAlias = ContainerSandbox | PlainSandbox

MAX_SEATS: Final = 16
"""Seats that a slot keeps open for later: those of Python agents take 23 MiB each."""
MAX_SECONDS: Final = 600.0
"""Time from opening a seat to closing it, if it waits for a batch then."""
_POLL_SECONDS: Final = 15.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Everything that a seat is opened with. Seats with the same key are as good as each other."""

    program: Program
    """Without the sources and the artefact."""
    sources: bytes
    """SHA-256."""
    artefact: bytes
    """SHA-256 of machine code; any other artefact is put into an open seat."""
    options: tuple[str, ...]
    limits: Limits
    core: int | None


def seat_key(
    program: Program, sources: bytes, options: Sequence[str], limits: Limits, core: int | None
) -> SeatKey:
    """Return the key of a seat. ``sources`` is the SHA-256 of the program's sources, packed."""
    return SeatKey(
        program=replace(program, sources=Path(), artefact=b""),
        sources=sources,
        artefact=hashlib.sha256(program.artefact if program.native else b"").digest(),
        options=tuple(options),
        limits=limits,
        core=core,
    )


class SeatCache:
    """The seats that one slot keeps open. Its methods may be called from any thread."""

    def __init__(self, max_seats: int = MAX_SEATS, max_seconds: float = MAX_SECONDS) -> None:
        """``max_seats`` of 0 keeps none."""
        self._max_seats = max_seats
        self._max_seconds = max_seconds
        self._kept: list[tuple[SeatKey, OpenSeat]] = []
        """Open seats with their keys, the most recently used last."""
        self._lock = threading.Lock()
        self._closing = ThreadPoolExecutor(max_workers=4, thread_name_prefix="closing seats")

    def take(self, key: SeatKey) -> OpenSeat | None:
        """Return an open seat with this key, for the caller to close or give back."""
        self.close_old()
        while (seat := self._taken(key)) is not None:
            if seat.is_ready:
                return seat
            self._close([seat])
        return None

    def give_back(self, key: SeatKey, seat: OpenSeat) -> None:
        """Keep a seat for later. If there are too many, close the one that has waited longest."""
        if not _is_free(seat):
            self._close([seat])
            return
        with self._lock:
            self._kept.append((key, seat))
            surplus = max(0, len(self._kept) - self._max_seats)
            dropped, self._kept = self._kept[:surplus], self._kept[surplus:]
        self._close(seat for _, seat in dropped)

    def close_old(self) -> None:
        """Close the seats that were opened too long ago."""
        opened_since = time.monotonic() - self._max_seconds
        with self._lock:
            old = [seat for _, seat in self._kept if seat.opened_at < opened_since]
            self._kept = [(key, seat) for key, seat in self._kept if seat.opened_at >= opened_since]
        self._close(old)

    def close_waiting(self) -> None:
        """Close all seats that wait, and return when they are closed."""
        with self._lock:
            kept, self._kept = self._kept, []
        for closing in self._close(seat for _, seat in kept):
            closing.result()

    def close(self) -> None:
        """Close all seats, and wait for those that are closing. Nothing may follow."""
        self.close_waiting()
        self._closing.shutdown()

    def watch(self, over: threading.Event) -> None:
        """Close seats as they grow old, until ``over``. For a thread."""
        while not over.wait(_POLL_SECONDS):
            self.close_old()

    def _taken(self, key: SeatKey) -> OpenSeat | None:
        with self._lock:
            for at in reversed(range(len(self._kept))):
                if self._kept[at][0] == key:
                    return self._kept.pop(at)[1]
        return None

    def _close(self, seats: Iterable[OpenSeat]) -> list[Future[None]]:
        return [self._closing.submit(_close_quietly, seat) for seat in seats]


def _is_free(seat: OpenSeat) -> bool:
    """End the process that was kept for a next game; return whether the seat can be used again."""
    try:
        seat.sandbox.end_kept()
    except SandboxError:
        return False
    return seat.is_ready


def close_seats(seats: Sequence[OpenSeat]) -> None:
    """Close seats side by side, even if closing one fails; then raise its SandboxError."""
    if not seats:
        return
    with ThreadPoolExecutor(max_workers=len(seats)) as executor:
        closing = [executor.submit(seat.close) for seat in seats]
    for closed in closing:
        closed.result()


def _close_quietly(seat: OpenSeat) -> None:
    """Close an unused seat, hiding errors: the reaper removes what Docker does not now."""
    try:
        seat.close()
    except (SandboxError, OSError) as error:
        logger.warning("could not close a seat: %s", error)
