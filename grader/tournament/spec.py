"""The specification of a tournament: participants, rounds of tables, consequences of faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.core.errors import PlanError
from grader.core.games import Game, game_from_options
from grader.core.records import FORMAT, AgentLimits, AgentRef, Fault, FaultKind


class ParticipantRole(StrEnum):
    """The role of a participant."""

    ENTRANT = "entrant"
    """Plays in every round and is ranked."""
    REFERENCE = "reference"
    """Plays like an entrant but has no rank: a house agent as a reference line."""
    FILLER = "filler"
    """Takes only seats that would stay empty, or whose agent was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanParticipant:
    """An agent at the tables, known everywhere by its position in the list of participants."""

    name: str
    """For readers only. Nothing is derived from it."""
    agent: AgentRef
    role: ParticipantRole = ParticipantRole.ENTRANT


class Consequence(StrEnum):
    """The consequence of a fault, beyond a spoiled game."""

    PENALISED = "penalised"
    """The game counts as faulted for the culprit; no more."""
    COUNTED = "counted"
    """The game is faulted, and the fault counts towards removal."""
    REMOVED = "removed"
    """The culprit is removed at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Consequences of faults. A game that one agent spoiled is always played again without it."""

    faults_to_removal: int = 3
    """Number of faults after which an agent is removed; 0: never."""
    overtime: Consequence = Consequence.COUNTED
    """The consequence of exceeding the time of a turn, or of not answering at all."""
    forbidden: Consequence = Consequence.COUNTED
    """The consequence of trying a forbidden call."""

    def __post_init__(self) -> None:
        """Raises PlanError for a negative number of faults."""
        if self.faults_to_removal < 0:
            raise PlanError("the number of faults that removes an agent must not be negative")

    def consequence(self, fault: Fault) -> Consequence:
        """Return the consequence of this fault."""
        if fault.kind in {FaultKind.TIMEOUT, FaultKind.IDLE}:
            return self.overtime
        if fault.kind is FaultKind.FORBIDDEN:
            return self.forbidden
        return Consequence.COUNTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Staff take a participant out: disqualified for cheating, withdrawn, cannot be built."""

    participant: int
    from_round: int = 0
    """Its games of this round and later ones are played without it; from round 0 on: all games,
    those that were played are void."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """The settings. Raises PlanError for those that contradict one another."""

    v: int = FORMAT
    game: str
    options: dict[str, Any]
    """Options of the game; ``players`` is set for each table."""
    limits: AgentLimits = field(default_factory=AgentLimits)
    sizes: tuple[int, ...]
    """Seats at a table; with several sizes, rounds take turns."""
    rounds: int
    """In each of them everybody sits at one table (with ``duplicates``: in as many seats as a
    table has); who is left over pauses, the one that paused least often first."""
    games_per_table: int = 1
    """Games that the same agents play with one another before the next round. More of them cost
    less (agents are started once a table) and tell less (partners' luck is that of few tables)."""
    rotated: bool = False
    """Every deal of a table is played once from each seat, in rotation, as in duplicate bridge."""
    duplicates: bool = False
    """True if an agent may sit at one table more than once."""
    self_play_games: int = 0
    """Games that every player first plays with itself in all seats, for each size. They count for
    no rank, but their faults count as any others."""
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 1 or len(set(self.sizes)) < len(self.sizes):
            raise PlanError(f"sizes of tables must be different and positive, not {self.sizes}")
        for name in ("rounds", "games_per_table"):
            if getattr(self, name) < 1:
                raise PlanError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.self_play_games < 0:
            raise PlanError("the number of games of self-play must not be negative")
        if self.rotated and any(self.games_per_table % size for size in self.sizes):
            seats = ", ".join(map(str, self.sizes))
            raise PlanError(
                f"games per table ({self.games_per_table}) must be a multiple of the seats"
                f" ({seats}) if every deal is played from each of them"
            )


def players_and_fillers(participants: Sequence[PlanParticipant]) -> tuple[int, int]:
    """Count the agents that play in every round, and those that only fill. Raises PlanError.

    Players come first in the list, so that their numbers are 0, 1, …
    """
    fills = [participant.role is ParticipantRole.FILLER for participant in participants]
    players = fills.index(True) if True in fills else len(fills)
    if not all(fills[players:]):
        raise PlanError("fillers must come after all others in the list of participants")
    return players, len(fills) - players


def rules_of(spec: TournamentSpec) -> Mapping[int, Game]:
    """The rules at tables of each size. Raises RulesError for a size that they do not allow."""
    return {
        size: game_from_options(spec.game, {**spec.options, "players": size}) for size in spec.sizes
    }
