"""Values that cross processes: requests to a grader, its answers, records of games.

Everything here is a frozen dataclass with a JSON form that msgspec writes and strictly reads back:
an unknown version, a missing field or a wrong type is a RecordError, never a guess. Site and
graders meet in these values and nowhere else.
"""

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from grader.core.errors import RecordError

FORMAT: Final = 1
"""Version of every JSON form below; a reader refuses any other."""

T = TypeVar("T")


class Mode(StrEnum):
    """The seats that share a process, and so its memory."""

    SEAT = "seat"
    """Each seat has a process of its own, which knows only what that seat may know."""
    TEAM = "team"
    """One process plays all seats of an agent and receives what each of them may know. In that
    process, the interface masks what the seat in turn must not see."""


class FaultKind(StrEnum):
    """An agent's fault. Our own failures are not in this list: they are SystemFaults."""

    TIMEOUT = "timeout"
    """Charged more than the turn's limit (or the start's), on the fair clock."""
    IDLE = "idle"
    """No reply within the wall-clock limit though it was not waiting for a processor."""
    CRASH = "crash"
    """The program ended, or closed its pipes, before the game did; includes uncaught exceptions."""
    MEMORY = "memory"
    """Needed more memory than allowed."""
    OUTPUT = "output"
    """Wrote more to the game than its quota, or a longer line than the wire allows. What it prints
    (standard error) is only cut."""
    MALFORMED = "malformed"
    """A reply that is not a well-formed message for this turn."""
    ILLEGAL = "illegal"
    """A well-formed action that the rules do not allow."""
    FORBIDDEN = "forbidden"
    """Tried to start a thread or process, or made another call that ends the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An agent's mistake, which ended its game."""

    seat: int
    kind: FaultKind
    turn: int
    """Number of the turn it happened in; −1 before the first turn (while starting)."""
    detail: str
    """One sentence for the student: what happened, and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """All that is needed to replay a game, byte for byte, without any agent."""

    v: int = FORMAT
    game: str
    rules_version: int
    options: dict[str, Any]
    deal_seed: str
    """64 hexadecimal digits."""
    actions: str
    """The actions in the game's notation, separated by single spaces."""
    charged_us: tuple[int, ...]
    """Time charged per turn, in microseconds; one more than actions if a fault ended the game."""
    ending: str
    """The game's own word for its end, or ``fault``."""
    fault: Fault | None
    scores: tuple[int, ...]
    """Points per seat."""
    mode: Mode = Mode.SEAT
    """The seats that shared a process. Rules do not depend on it, but the value of a score does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence of a fault, for a student to understand and an instructor to defend it."""

    sent: str
    """The last message the agent was sent, as sent (without the newline)."""
    received: str
    """The agent's answer, at most 4 KiB, undecodable bytes escaped."""
    stderr: str
    """First and last part of what the agent printed in this game."""
    exit: str
    """The end of the process, in words: ``exit status 3``, ``signal 11 (SIGSEGV)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """One finished game of a batch."""

    index: int
    """Position of the game in its evaluation, from 0."""
    record: Record
    wall_ms: float
    max_charged_us: tuple[int, ...]
    """Slowest turn of each seat, in microseconds of charged time."""
    peak_memory_kib: tuple[int, ...]
    """Largest resident set of each seat's process. Of seats that share one the first has the
    figure, the others 0."""
    cpu_us: tuple[int, ...] = ()
    """Processor time of each seat's process, its start and end included, in microseconds; of
    seats that share one, likewise."""
    evidence: Evidence | None = None
    """Present exactly if ``record.fault`` is."""
    seating: tuple[int, ...] = ()
    """The seating of its request; empty if the request had one seating for the whole batch."""
    other_attempt: Record | None = None
    """The play that does not count, if a doubtful timeout had the game played twice."""
    drawn: str | UnsetType = UNSET
    """The scenes of a game whose rules are uploaded (``grader.core.drawn``); omitted for others,
    and for a game that is too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """Output of an agent in a turn. Only its owner and staff may read it."""

    turn: int
    """Number of the turn; −1 for output before the first turn."""
    seat: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePrints:
    """The output in one game of a batch."""

    index: int
    printed: tuple[Printed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLimits:
    """Limits of one agent, with defaults: as a request has them.

    Seconds are of charged time unless they say wall. The sandbox enforces the limits as
    ``sandbox.Limits``, which has no defaults and checks the bounds.
    """

    turn_seconds: float = 1.0
    turn_wall_seconds: float = 3.0
    start_seconds: float = 5.0
    memory_mib: int = 256
    reply_bytes: int = 4096
    stdout_bytes: int = 1 << 20
    """Bytes an agent may write to its standard output in one game, replies included."""
    stderr_bytes: int = 64 << 10
    """Bytes of standard error kept per game: the first and the last half."""


LIMIT_BOUNDS: Final = {
    "turn_seconds": (0.05, 60.0),
    "turn_wall_seconds": (0.05, 180.0),
    "start_seconds": (0.1, 120.0),
    "memory_mib": (32, 4096),
    "reply_bytes": (64, 1 << 16),
    "stdout_bytes": (1 << 10, 1 << 26),
    "stderr_bytes": (1 << 10, 1 << 19),
}
"""Lowest and highest value of each field of AgentLimits that a grader accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRef:
    """A program that plays: its sources by hash, and the interface that it is written against."""

    interface: str
    sha256: str
    """Lower-case hexadecimal SHA-256 of the stored archive; also its key in the store."""
    options: tuple[str, ...] = ()
    """Options of the interface that are switched on (``grader.interfaces``), sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """One game to play."""

    index: int
    deal_seed: str
    seating: tuple[int, ...] = ()
    """For each seat, the position of the program that plays it; empty: as the request has it."""
    begun: str | UnsetType = UNSET
    """First actions that are given, in the game's notation, separated by single spaces. Agents are
    asked for these turns as well, and their answers are not played. Omitted for a game from the
    deal, so that its bytes are those of versions without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """A request to a grader: the argument of the task ``grader.play_batch``."""

    v: int = FORMAT
    evaluation: str
    """Opaque id, echoed in every result."""
    batch: str
    """Opaque id of this attempt at these games, echoed."""
    game: str
    options: dict[str, Any]
    limits: AgentLimits
    agents: tuple[AgentRef, ...]
    seating: tuple[int, ...]
    """For each seat, the position in ``agents`` of the program that plays it."""
    games: tuple[GameRequest, ...]
    """Each may have another seating."""
    max_consecutive_faults: int
    """Stop after this many faulted games in a row (by index, all in this batch); 0 never stops."""
    check_first: bool
    """Compile the agents first and answer with a BuildReport before any game (first tests)."""
    mode: Mode | None = None
    """``None``: as the interface prefers for this seating (``grader.interfaces.mode_of``)."""
    ours: tuple[int, ...] = ()
    """Positions of house agents, under the name that the wire has for them: a fault of theirs is
    our failure, and the game is played again."""
    prints_of: tuple[int, ...] | UnsetType = UNSET
    """Positions of agents whose output is wanted (``grader.core.prints``). A request that wants
    none omits the field, so that its bytes are those of versions without it."""
    not_by: tuple[str, ...] | UnsetType = UNSET
    """Public keys of graders that must decline: they could not build an agent that others should
    try. Omitted if all graders may play."""
    game_version: str | UnsetType = UNSET
    """The version of a game from a package (``grader.core.games.versions``): graders that have
    another one must decline. Omitted for games of this repository."""
    game_folder: str | UnsetType = UNSET
    """SHA-256 of the stored folder of an uploaded game: every grader fetches it, and runs its rules
    in a sandbox. Omitted for other games."""
    game_facts: str | UnsetType = UNSET
    """The digest of what an uploaded game said of itself in its check: rules that say otherwise
    when they are played are at fault. Omitted for other games."""

    @property
    def with_prints_of(self) -> tuple[int, ...]:
        """Positions of agents whose output is wanted, if any."""
        return self.prints_of or ()

    def digest(self) -> str:
        """Return the SHA-256 of the request without ``not_by``: 64 hexadecimal digits."""
        return digest(replace(self, not_by=UNSET))


class BatchPhase(StrEnum):
    """The part of a batch that a BatchReport is about."""

    BUILT = "built"
    """The agents were compiled, or failed to: see ``builds``. It has no games."""
    PLAYING = "playing"
    """More games, not the last."""
    DONE = "done"
    """The last report: every game was played, or stopped after consecutive faults."""
    FAILED = "failed"
    """The grader or its host failed: see ``system_fault``. The batch is to be played again."""
    DECLINED = "declined"
    """This grader must not play the request (``BatchRequest.not_by``), or does not have its game;
    another one may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildMessage:
    """A compiler's message about a source file."""

    file: str
    line: int
    """From 1; 0 if it concerns the whole file."""
    column: int
    """From 1; 0 if unknown."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """The result of compiling one agent's sources."""

    ok: bool
    messages: tuple[BuildMessage, ...] = ()
    log: str = ""
    """Output of the build, bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """A grader's answer, in several parts: the argument of the task ``webapp.record_batch``."""

    v: int = FORMAT
    evaluation: str
    batch: str
    phase: BatchPhase
    results: tuple[GameResult, ...] = ()
    prints: tuple[GamePrints, ...] = ()
    """Output in some of these games, if the request asks for it."""
    builds: tuple[BuildReport, ...] = ()
    """Per agent of the request, in its order; only in phase ``built``."""
    stopped: bool = False
    """In phase ``done``: consecutive faults ended the batch before its last game."""
    system_fault: str = ""
    worker: str = ""
    """Host and core that played it, the sandbox image and the grader's version."""
    request: str = ""
    """``digest`` of the BatchRequest that was played."""


def to_json(value: object) -> str:
    """The canonical JSON text of any value of this module: fields in order, no spaces."""
    return msgspec.json.encode(value).decode()


def digest(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON text: 64 hexadecimal digits."""
    return hashlib.sha256(to_json(value).encode()).hexdigest()


def from_json(text: str | bytes, kind: type[T]) -> T:
    """Read a value of this module back, strictly. Raises RecordError saying where it is wrong."""
    try:
        value = msgspec.json.decode(text, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RecordError(f"not a valid {kind.__name__}: {error}") from error
    version = getattr(value, "v", FORMAT)
    if version != FORMAT:
        raise RecordError(f"{kind.__name__} has format {version}; this Firebox reads {FORMAT}")
    return value
