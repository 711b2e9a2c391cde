"""Players, which answer the referee's turns, and a game between them.

An agent's failure is a ``PlayerFailure`` value; no exception out of here is the agent's doing.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from firebox.seat import LocalSeat
from grader.core import wire
from grader.core.games import Game
from grader.core.records import Evidence, FaultKind, GameRequest, Mode, Record
from grader.core.referee import ACT, END, START, PlayerFailure, Reply, Turn, referee
from grader.play.prints import TurnMarks
from sandbox.exits import STATUS_UNLOADABLE, Exit, ExitKind
from sandbox.process import AgentProcess
from sandbox.timeouts import AskFailure, AskFailureKind

Answer: TypeAlias = Reply | PlayerFailure | None

_DETAIL_CHARACTERS: Final = 300

_FAULTS_BY_FAILURE: Final = {
    AskFailureKind.TIMEOUT: FaultKind.TIMEOUT,
    AskFailureKind.IDLE: FaultKind.IDLE,
    AskFailureKind.LONG_LINE: FaultKind.OUTPUT,
    AskFailureKind.QUOTA: FaultKind.OUTPUT,
}
_STACK_IS_DUMPED: Final = (AskFailureKind.TIMEOUT, AskFailureKind.IDLE)
_EXIT_FAULTS: Final = {
    ExitKind.MEMORY: FaultKind.MEMORY,
    ExitKind.FORBIDDEN: FaultKind.FORBIDDEN,
}


_SCANNER: Final = "java.util.Scanner"
_NOTHING_SCANNED: Final = "java.util.NoSuchElementException"
"""The exception of a ``Scanner`` of Java that has nothing to read."""


class SeatPlayer(Protocol):
    """One seat of one game."""

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Return the answer to a start or a turn; ``None`` for an end."""


class ProcessPlayer:
    """An agent in a process of its own, behind pipes."""

    def __init__(
        self,
        process: AgentProcess,
        memory_mib: int,
        options: Sequence[str] = (),
        own_seats: Sequence[int] = (),
    ) -> None:
        """``options`` and ``own_seats`` are what its adapter is told at the start."""
        self._process = process
        self._memory_mib = memory_mib
        self._options = options
        self._own_seats = own_seats
        self.exit: Exit | None = None
        """The end of the process, once it has ended."""
        self.sent = b""
        """The last line it was sent."""
        self.received = b""
        """The last line, or part of one, that it wrote."""
        self.doubtful = False
        """Its fault is a timeout that should be confirmed by playing the game again."""
        self.max_charged_us = 0
        self.prints = TurnMarks(process.printed)
        """The parts of its output, by turn."""
        self._before_us = 0
        """Charged in the turn that may go on."""
        self._closed = False

    @property
    def peak_memory_kib(self) -> int:
        """Largest resident set of the process; 0 while it runs."""
        return 0 if self.exit is None else self.exit.peak_memory_kib

    @property
    def cpu_us(self) -> int:
        """Processor time of the process, in microseconds; 0 while it runs."""
        return 0 if self.exit is None else self.exit.user_us + self.exit.system_us

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Send the message; read, check and time the answer."""
        message = turn.message
        if turn.kind is START:
            message = wire.for_interface(message, self._options, self._own_seats)
        line = wire.encode(message)
        self.prints.begin(turn)
        if turn.kind is END:
            was_started = bool(self.sent)  # not if the fault of a seat before it came first
            self.close(line if was_started else None)
            return None
        self.sent = line
        before_us = self._before_us if turn.continued else 0
        starts = turn.kind is START
        answer = self._process.ask(line, start=starts, before_us=before_us)
        charged_us = self._before_us = self._process.charged_us
        if not isinstance(answer, bytes):
            return self._failed(answer, charged_us)
        self.received = answer
        try:
            if starts:
                wire.parse_ready(answer)
                return Reply(None, charged_us)
            if charged_us > self.max_charged_us:
                self.max_charged_us = charged_us
            return Reply(wire.parse_reply(answer, turn.number), charged_us - before_us)
        except wire.WireError as error:
            if not answer.strip():  # the reply may be what follows the empty line
                self.received = answer + b"\n" + self._process.unread()
            return PlayerFailure(FaultKind.MALFORMED, shortened(str(error)), charged_us)

    def close(self, final_message: bytes | None = None, *, dump_stack: bool = False) -> None:
        """End the process, once; with a final_message it may end by itself."""
        if not self._closed:
            self._closed = True
            self.exit = self._process.finish(final_message, dump_stack=dump_stack)

    def evidence(self) -> Evidence:
        """Return the evidence of its last turn, and its output once it has ended."""
        end = self.exit
        return Evidence(
            sent=self.sent.decode().rstrip("\n"),
            received=self.received[:4096].decode("utf-8", "backslashreplace"),
            stderr=end.stderr if end is not None else "",
            exit=end.describe() if end is not None else "",
        )

    def _failed(self, failure: AskFailure, charged_us: int) -> PlayerFailure:
        self.doubtful = failure.doubtful
        self.received = failure.received
        self.max_charged_us = max(self.max_charged_us, charged_us)
        self.close(dump_stack=failure.kind in _STACK_IS_DUMPED)
        if failure.kind is AskFailureKind.CLOSED:
            assert self.exit is not None  # noqa: S101 - close has just set it
            kind, detail = _end_of(self.exit, self._memory_mib, closed=failure.detail)
        else:
            kind, detail = _FAULTS_BY_FAILURE[failure.kind], failure.detail
        if failure.unfinished_bytes:
            size = failure.unfinished_bytes
            came = f"{size} byte{'' if size == 1 else 's'}"  # records keep these words
            detail += f"; {came} came without the newline that ends a reply"
        return PlayerFailure(kind, detail, charged_us)


class TeamSeat:
    """One of several seats that a process plays, in mode ``team``; messages name the seat.

    The first fault of any of them, and the first end, ends the process.
    """

    def __init__(self, process: ProcessPlayer, *, accounts: bool) -> None:
        """``accounts`` is true for the one seat that reports the process's memory and time."""
        self.process = process
        self._accounts = accounts
        self.max_charged_us = 0

    @property
    def peak_memory_kib(self) -> int:
        """The process's, at one of its seats; 0 at the others."""
        return self.process.peak_memory_kib if self._accounts else 0

    @property
    def cpu_us(self) -> int:
        """The process's, at one of its seats; 0 at the others."""
        return self.process.cpu_us if self._accounts else 0

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Let the process answer for this seat."""
        message = wire.addressed(turn.message, turn.seat)
        answer = self.process.take(msgspec.structs.replace(turn, message=message))
        if turn.kind is ACT and answer is not None:
            self.max_charged_us = max(self.max_charged_us, answer.charged_us)
        return answer


def _end_of(end: Exit, memory_mib: int, *, closed: str) -> tuple[FaultKind, str]:
    """Fault and sentence for an agent that ended in the middle of a game.

    ``closed`` is the sentence for an agent that only closed a pipe.

    A process that ended as forbidden may also have used another architecture's system calls. No
    program does that by mistake, so the message only names the usual reason.
    """
    kind = _EXIT_FAULTS.get(end.kind, FaultKind.CRASH)
    if kind is FaultKind.MEMORY:
        return kind, f"needed more memory than the {memory_mib} MiB allowed"
    if kind is FaultKind.FORBIDDEN:
        return kind, "tried to start a thread, a process or another program"
    if end.kind is ExitKind.KILLED:
        return kind, closed
    doing = "could not be loaded" if end.status == STATUS_UNLOADABLE else "ended during the game"
    last_line = end.stderr.rstrip().rpartition("\n")[2].strip()
    reason = last_line if end.status >= STATUS_UNLOADABLE - 2 and last_line else _end_by_itself(end)
    if last_line.startswith(_NOTHING_SCANNED) and _SCANNER in end.stderr:
        reason += " (nobody can type here: System.in has nothing to read)"
    return kind, shortened(f"{doing}: {reason}")


def _end_by_itself(end: Exit) -> str:
    """Describe an end without an explanation: a status of 0 sounds as if all were well."""
    ending = end.describe()
    return ending if end.status else f"the program ended itself ({ending})"


class LocalPlayer:
    """An agent of a Python class, called directly in this process: nothing confines or limits it.

    For house agents, benchmarks, and a student's own laptop. Exceptions propagate.
    """

    def __init__(self, agent_class: Any) -> None:
        self._seat = LocalSeat(agent_class)
        self.max_charged_us = 0

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Call the agent, and charge its wall time."""
        began = time.perf_counter_ns()
        answer = self._seat.send(turn.message)
        charged_us = (time.perf_counter_ns() - began) // 1000
        if turn.kind is ACT:
            self.max_charged_us = max(self.max_charged_us, charged_us)
        return None if answer is None else Reply(answer.get("action"), charged_us)


def play_game(
    game: Game,
    deal_seed: bytes,
    players: Sequence[SeatPlayer],
    mode: Mode = Mode.SEAT,
    begun: Sequence[str] = (),
) -> Record:
    """Let players, one per seat, answer a referee until it has a record.

    The actions ``begun`` are given. Players are asked for these turns, too, since many keep what
    they know while they answer; their answers are not played.
    """
    play = referee(game, deal_seed, mode)
    turn = next(play)
    early: dict[int, Answer] = {}
    while True:
        if turn.also:
            early = _asked_together([turn, *turn.also], players)
        answer = early.pop(turn.number) if early else players[turn.seat].take(turn)
        if begun and turn.kind is ACT and turn.number < len(begun) and isinstance(answer, Reply):
            answer = Reply(dict(game.parse(begun[turn.number])), answer.charged_us)
        try:
            turn = play.send(answer)
        except StopIteration as stop:
            record: Record = stop.value
            return record


def _asked_together(turns: Sequence[Turn], players: Sequence[SeatPlayer]) -> dict[int, Answer]:
    """Return the answers by number of the turn, of processes that are asked at the same time.

    One after another, a process could tell from its clock how long those before it took. The clock
    of each counts only its own time: what it waits for a processor is not charged. That it waits
    still tells that another computes, as on every shared core.
    """
    processes: dict[object, list[Turn]] = {}
    for turn in turns:
        processes.setdefault(_process(players[turn.seat]), []).append(turn)

    def ask(asked: Sequence[Turn]) -> list[tuple[int, Answer]]:
        return [(turn.number, players[turn.seat].take(turn)) for turn in asked]

    if len(processes) == 1:
        return dict(ask(turns))
    with ThreadPoolExecutor(len(processes)) as threads:
        return dict(chain.from_iterable(threads.map(ask, processes.values())))


def _process(player: SeatPlayer) -> object:
    if isinstance(player, TeamSeat):
        return player.process
    return player if isinstance(player, ProcessPlayer) else None


def play_locally(
    game: Game, orders: Sequence[GameRequest], agent_classes: Sequence[type]
) -> Iterator[Record]:
    """Play games between classes in this process, a class per seat; nothing confines them."""
    for order in orders:
        players = [LocalPlayer(agent_class) for agent_class in agent_classes]
        yield play_game(game, bytes.fromhex(order.deal_seed), players)


def shortened(text: str) -> str:
    """Return the beginning of a fault's detail that records keep."""
    return text if len(text) <= _DETAIL_CHARACTERS else text[: _DETAIL_CHARACTERS - 1] + "…"
