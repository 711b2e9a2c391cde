"""Limits of one sandbox, within fixed bounds that no request can exceed.

There are no defaults, so that no agent gets a limit that nobody chose.
"""

from dataclasses import dataclass
from typing import Final

from sandbox.errors import LimitError

BOUNDS: Final = {
    "turn_seconds": (0.05, 60.0),
    "turn_wall_seconds": (0.05, 180.0),
    "start_seconds": (0.1, 120.0),
    "memory_mib": (32, 4096),
    "reply_bytes": (64, 1 << 16),
    "stdout_bytes": (1 << 10, 1 << 26),
    "stderr_bytes": (1 << 10, 1 << 19),
}
"""Lowest and highest value of each limit that can be chosen for an agent."""
RUNTIME_ROOM: Final = {"start_seconds": 30.0, "memory_mib": 512}
"""Room above a limit's highest value, for a language's runtime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one agent process. Raises LimitError when a value is out of bounds."""

    turn_seconds: float
    """Charged time (wall time less run-queue wait) that one turn may take."""
    turn_wall_seconds: float
    """Wall time, less run-queue wait, after which a process that does not compute is ended."""
    start_seconds: float
    """Charged time for loading the agent, up to its first reply."""
    memory_mib: int
    """Address space of the agent's process, its interpreter included, in MiB."""
    reply_bytes: int
    """Longest line the agent may write, newline included."""
    stdout_bytes: int
    """Bytes the agent may write to its reply pipe in one game."""
    stderr_bytes: int
    """Bytes of standard error kept per game: half from its beginning, half from its end."""

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            highest = high + RUNTIME_ROOM.get(name, 0)
            if not low <= value <= highest:
                raise LimitError(f"{name} must lie between {low} and {highest}, not {value!r}")
        if self.turn_wall_seconds < self.turn_seconds:
            raise LimitError("turn_wall_seconds must not be less than turn_seconds")
