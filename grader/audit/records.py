"""Messages of a replay audit between site and graders: requests, conclusions, evidence."""

from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from grader.core.records import FORMAT, AgentLimits, AgentRef, FaultKind, Record, digest


class Conclusion(StrEnum):
    """The result for one seat of one game."""

    SAME = "same"
    """Every action was repeated, whatever the pauses."""
    DIFFERS = "differs"
    """The agent does something else with other pauses; a reason to look, never a verdict."""
    NOT_AUDITABLE = "not auditable"
    """With the same messages, seed and pauses the agent acts differently from run to run."""
    INCONCLUSIVE = "inconclusive"
    """Runs ended in faults that did not happen in the game, or time ran out over a suspect."""
    LEFT_OUT = "left out"
    """Not examined: time was over, enough was found, or the seats shared a process."""


class AuditCause(StrEnum):
    """The circumstance on which a difference depends."""

    PAUSES = "pauses"
    """The pauses between messages: with the game's own pauses the agent acts one way, with others
    another."""
    RECORD = "record"
    """All runs agree with each other, whatever the pauses, but not with the record."""


class Pace(StrEnum):
    """The pace at which the messages of a run are delivered."""

    INSTANT = "instant"
    """Each as soon as the last one is answered."""
    JITTERED = "jittered"
    """After random pauses."""
    RECORDED = "recorded"
    """After as long as the other seats took in the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedGame:
    """A game to audit."""

    index: int
    record: Record
    seats: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Seats that the agent played in this game, where they differ from game to game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRequest:
    """A request to a grader: the argument of the task ``grader.audit_games``."""

    v: int = FORMAT
    audit: str
    """Opaque id, echoed in the report."""
    agent: AgentRef
    seats: tuple[int, ...]
    """Seats that the agent played, in games that do not name them."""
    limits: AgentLimits
    games: tuple[AuditedGame, ...]
    seed: int
    """Seed of the random pauses."""
    seconds: float
    """Wall time after which no further run begins."""
    not_by: tuple[str, ...] = ()
    """Public keys of graders that decline: they played these games themselves."""
    game_version: str | msgspec.UnsetType = msgspec.UNSET
    """The version of a game from a package; graders that have another one must decline. Omitted for
    games of this repository."""

    def seats_of(self, game: AuditedGame) -> tuple[int, ...]:
        """Return the seats to audit in one of its games."""
        return self.seats if isinstance(game.seats, msgspec.UnsetType) else game.seats

    def digest(self) -> str:
        """Return the SHA-256 of the request without ``not_by``: 64 hexadecimal digits."""
        return digest(replace(self, not_by=()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The action of one run in the turn that the evidence is about."""

    pace: Pace
    paused_us: int
    """The delay of the turn's message, in microseconds."""
    action: str
    """In the game's notation; empty after a fault."""
    fault: FaultKind | None
    charged_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvidence:
    """The first turn in which a run differed from the record."""

    turn: int
    recorded: str
    """The record's action, in the game's notation."""
    paused_us: int
    """Charged to the other seats since this seat's turn before: the pause it could measure."""
    charged_us: int
    """Charged to the seat itself in that turn of the game."""
    attempts: tuple[Attempt, ...]
    """The attempts of every run that came so far."""
    words: dict[str, str]
    """Each of these actions in words, by its notation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAudit:
    """The result for one seat of one game, with its evidence."""

    index: int
    seat: int
    conclusion: Conclusion
    turns: int
    """Actions of the seat in the record, all of them compared if it is ``same``."""
    runs: int
    cause: AuditCause | None = None
    """Present exactly if it differs."""
    evidence: AuditEvidence | None = None
    detail: str = ""
    """Why it is inconclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """A grader's answer: the argument of the task ``webapp.record_audit``."""

    v: int = FORMAT
    audit: str
    seats: tuple[SeatAudit, ...] = ()
    seconds: float = 0.0
    declined: bool = False
    """True if this grader must not answer the request; another one may."""
    system_fault: str = ""
    """A failure of ours: nothing is known then, and the audit may be requested again."""
    worker: str = ""
    request: str = ""
    """``AuditRequest.digest`` of the request."""
