"""Open sandboxes that wait for the next batch of their agent.

Opening a sandbox takes a quarter of a second. A batch of a tournament's table is over in a few
seconds, and its agents play at other tables next: a slot keeps their sandboxes open in between. A
sandbox is only reused for the same agent, limits and core. One game can leave no more to the next
across batches than within one: see `sandbox/README.md`.

A supervisor that an agent had taken over would live as long as its sandbox. So sandboxes are closed
after a while, however often they are used, and their number is limited.
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
    "MAX_SANDBOXES",
    "MAX_SECONDS",
    "OpenSandbox",
    "SandboxCache",
    "SandboxKey",
    "close_sandboxes",
    "sandbox_key",
]

OpenSandbox: TypeAlias = ContainerSandbox | PlainSandbox

MAX_SANDBOXES: Final = 16
"""Sandboxes that a slot keeps open for later: those of Python agents take 23 MiB each."""
MAX_SECONDS: Final = 600.0
"""Time from opening a sandbox to closing it, if it waits for a batch then."""
_POLL_SECONDS: Final = 15.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SandboxKey:
    """The arguments that open a sandbox. Sandboxes with equal keys are interchangeable."""

    program: Program
    """Without the sources and the artefact."""
    sources: bytes
    """SHA-256."""
    artefact: bytes
    """SHA-256 of machine code; any other artefact is put into an open sandbox."""
    options: tuple[str, ...]
    limits: Limits
    core: int | None


def sandbox_key(
    program: Program, sources: bytes, options: Sequence[str], limits: Limits, core: int | None
) -> SandboxKey:
    """Return the key of a sandbox. ``sources`` is the SHA-256 of the program's sources, packed."""
    return SandboxKey(
        program=replace(program, sources=Path(), artefact=b""),
        sources=sources,
        artefact=hashlib.sha256(program.artefact if program.native else b"").digest(),
        options=tuple(options),
        limits=limits,
        core=core,
    )


class SandboxCache:
    """The sandboxes that one slot keeps open. Its methods may be called from any thread."""

    def __init__(self, max_open: int = MAX_SANDBOXES, max_seconds: float = MAX_SECONDS) -> None:
        """``max_open`` of 0 keeps none."""
        self._max_open = max_open
        self._max_seconds = max_seconds
        self._kept: list[tuple[SandboxKey, OpenSandbox]] = []
        """Open sandboxes with their keys, the most recently used last."""
        self._lock = threading.Lock()
        self._closing = ThreadPoolExecutor(max_workers=4, thread_name_prefix="closing sandboxes")

    def take(self, key: SandboxKey) -> OpenSandbox | None:
        """Return an open sandbox with this key, for the caller to close or give back."""
        self.close_old()
        while (sandbox := self._taken(key)) is not None:
            if sandbox.is_ready:
                return sandbox
            self._close([sandbox])
        return None

    def give_back(self, key: SandboxKey, sandbox: OpenSandbox) -> None:
        """Keep a sandbox for later. If there are too many, close the one that waited longest."""
        if not _is_free(sandbox):
            self._close([sandbox])
            return
        with self._lock:
            self._kept.append((key, sandbox))
            surplus = max(0, len(self._kept) - self._max_open)
            dropped, self._kept = self._kept[:surplus], self._kept[surplus:]
        self._close(sandbox for _, sandbox in dropped)

    def close_old(self) -> None:
        """Close the sandboxes that were opened too long ago."""
        opened_since = time.monotonic() - self._max_seconds
        with self._lock:
            old = [opened for _, opened in self._kept if opened.opened_at < opened_since]
            self._kept = [kept for kept in self._kept if kept[1].opened_at >= opened_since]
        self._close(old)

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

    def _taken(self, key: SandboxKey) -> OpenSandbox | None:
        with self._lock:
            for at in reversed(range(len(self._kept))):
                if self._kept[at][0] == key:
                    return self._kept.pop(at)[1]
        return None

    def _close(self, sandboxes: Iterable[OpenSandbox]) -> list[Future[None]]:
        return [self._closing.submit(_close_quietly, sandbox) for sandbox in sandboxes]


def _is_free(opened: OpenSandbox) -> bool:
    """End the process kept for a next game; return whether the sandbox can be used again."""
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
    """Close an unused sandbox, hiding errors: the reaper removes what Docker does not now."""
    try:
        sandbox.close()
    except (SandboxError, OSError) as error:
        logger.warning("could not close a sandbox: %s", error)
