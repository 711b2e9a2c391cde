"""Charges a turn, and detects when it has lasted too long."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sandbox.clock import GIVEN_UP, Usage
from sandbox.errors import SandboxLost

_STARVED_FACTOR: Final = 20
"""A turn that lasts this many times its wall limit without being charged: the host is unusable."""


class AskFailureKind(StrEnum):
    """The reason for a turn without a reply."""

    TIMEOUT = "timeout"
    """Charged more than the limit."""
    IDLE = "idle"
    """Neither replied nor computed until the wall limit."""
    CLOSED = "closed"
    """Closed its pipe or ended."""
    LONG_LINE = "long line"
    """More bytes than a reply may have, without a newline."""
    QUOTA = "quota"
    """More bytes in this game than allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFailure:
    """A turn without a reply."""

    kind: AskFailureKind
    detail: str
    received: bytes = b""
    """The beginning of what came in the turn, whole lines without their newline."""
    unfinished_bytes: int = 0
    """Length of the part of a reply that came without its newline."""
    doubtful: bool = False
    """True for a timeout that the host may have caused by losing time itself."""


class Meter:
    """Charges one turn. All times in nanoseconds."""

    __slots__ = ("_extra_ns", "_limit_ns", "_ran_ns", "_unhindered_ns", "_wall_limit_ns")

    def __init__(self, limit_ns: int, wall_limit_ns: int, extra_ns: int) -> None:
        """``extra_ns`` is processor time that was used before the turn and is charged to it."""
        self._limit_ns = limit_ns
        self._wall_limit_ns = wall_limit_ns
        self._extra_ns = extra_ns
        self._ran_ns = 0
        self._unhindered_ns = 0

    @property
    def charged_ns(self) -> int:
        """The time charged for the turn so far."""
        return self._unhindered_ns + self._extra_ns

    def look(self, wall_ns: int, now: Usage, before: Usage) -> None:
        """Update the figures. Raises SandboxLost if the host has starved the process too long.

        Running time counts in any case: of two watched threads one may wait while the other runs,
        and an agent must not gain by that.
        """
        self._ran_ns = now.ran - before.ran
        self._unhindered_ns = max(wall_ns - (now.waited - before.waited), self._ran_ns, 0)
        if wall_ns > _STARVED_FACTOR * self._wall_limit_ns:
            raise SandboxLost(f"the host gave an agent no processor for {wall_ns / 1e9:.0f} s")

    def overrun(self, *, replied: bool) -> AskFailure | None:
        """Return the failure of the turn, if any.

        A late reply is a timeout. Without a reply, a process that computes is ended a little after
        its limit, and one that does not, at the wall limit.
        """
        charged = self.charged_ns
        if charged <= self._limit_ns:
            return None
        allowed = f"allowed are {self._limit_ns / 1e9:g} s"
        if replied:
            detail = f"replied after {charged / 1e9:.3f} s, {allowed}"
            return AskFailure(kind=AskFailureKind.TIMEOUT, detail=detail)
        if 2 * self._ran_ns >= self._unhindered_ns:
            detail = f"no reply after {charged / 1e9:.3f} s of computing, {allowed}"
            if charged <= GIVEN_UP * self._limit_ns:
                return None
            return AskFailure(kind=AskFailureKind.TIMEOUT, detail=detail)
        if self._unhindered_ns <= self._wall_limit_ns:
            return None
        ran, waited = self._ran_ns / 1e9, self._unhindered_ns / 1e9
        detail = f"no reply after {waited:.1f} s, of which it computed {ran:.3f} s; {allowed}"
        return AskFailure(kind=AskFailureKind.IDLE, detail=detail)

    def is_doubtful(self, lost_ns: int) -> bool:
        """Return whether the turn would have kept its limit, had the host lost no time.

        How long the process slept, or how close to the limit it was, is no reason for doubt: both
        are its own choice, and a second play of the same deal can be worth a lot.
        """
        return self._limit_ns < self.charged_ns <= self._limit_ns + lost_ns
