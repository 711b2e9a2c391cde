"""Values between site and graders for games with people: one turn of one seat, and its answer.

The request holds the game so far. The messages, and the agent's earlier answers, are derived from
it (``position.play_on``). So any grader can start the seat's process again at any time.
"""

from dataclasses import dataclass
from typing import Any, Final

from msgspec import UNSET, UnsetType

from grader.core.records import FORMAT, AgentLimits, AgentRef, Evidence, FaultKind, digest

ANSWER_SEAT: Final = "grader.answer_seat"
"""The graders' task; its argument is a SeatRequest as JSON."""
RECORD_ANSWER: Final = "webapp.record_answer"
"""The site's task; its argument is a signed SeatReport."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """The turn that an agent is to answer."""

    v: int = FORMAT
    ask: str
    """Opaque id, echoed in the answer."""
    table: str
    """Opaque id of the game; with the seat it names a process that may be kept."""
    game: str
    rules_version: int
    options: dict[str, Any]
    deal_seed: str
    actions: str
    """All actions so far, in the game's notation, separated by single spaces."""
    seat: int
    agent: AgentRef
    limits: AgentLimits
    own_seats: tuple[int, ...] | UnsetType = UNSET
    """The agent's seats, where it has several; omitted if it has this one."""
    game_version: str | UnsetType = UNSET
    """The version of a game from a package; graders that have another one must not answer. Omitted
    for games of this repository."""

    def digest(self) -> str:
        """Return the hash that the answer carries."""
        return digest(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFault:
    """An agent's failure to answer."""

    kind: FaultKind
    detail: str
    """One sentence for the student."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """An agent's answer: an action, a fault, or a failure of ours."""

    v: int = FORMAT
    ask: str
    action: dict[str, Any] | None = None
    """As the agent gave it; the site checks it by the rules."""
    charged_us: int = 0
    fault: SeatFault | None = None
    evidence: Evidence | None = None
    """Details of the fault."""
    differs_at: int | None = None
    """The first turn to which the agent gave another answer when its process was started again."""
    system_fault: str = ""
    worker: str = ""
    request: str = ""
    """``digest`` of the SeatRequest that was answered."""
