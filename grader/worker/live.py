"""Agents that play with people: their processes are kept for minutes, and started again if lost.

A process belongs to a game and a seat. If it was another worker's, or was evicted or killed, a new
one is started and receives all earlier messages of its seat again. If it answers differently this
time, the recorded actions stand, and the report says so. An agent that takes over a seat in the
middle of a game catches up the same way: it is asked for every turn that its seat had, within the
same limits, and must answer, but its answers are not played. What it is sent next tells it the
actions that were.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from grader.core.errors import GraderError, RecordError, SystemFault
from grader.core.games import Game, game_from_options
from grader.core.games.versions import version_of
from grader.core.live import SeatFault, SeatReport, SeatRequest
from grader.core.position import Told, play_on
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind
from grader.play.players import ProcessPlayer
from grader.play.single import SingleSandbox
from grader.play.slot import Slot
from sandbox.errors import SandboxError, SandboxLost

MAX_KEPT: Final = 8
"""Processes that are kept at once, each in a container of its own."""
_KEPT_SECONDS: Final = 600.0
"""The time after which an unused process is ended."""
_POLL_SECONDS: Final = 15.0

_Key: TypeAlias = tuple[str, int]


class _AgentFailed(Exception):  # noqa: N818 - the agent's failure, not ours
    """The agent did not answer."""

    def __init__(self, failure: PlayerFailure, turn: int) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.turn = turn
        """The turn in which it failed: one before the turn that is asked, if it catches up."""


@dataclass(slots=True)
class _Kept:
    """A seat's process, and the messages that it has received."""

    single: SingleSandbox
    player: ProcessPlayer
    answered: list[tuple[int, str]] = field(default_factory=list)
    """Numbers and actions of the turns in its messages so far, its start first."""
    differs_at: int | None = None
    used_at: float = 0.0


class LiveSeats:
    """The processes of one worker."""

    def __init__(self, slot: Slot, archive_of: Callable[[str], bytes]) -> None:
        self._slot = slot
        self._archive_of = archive_of
        self._kept: dict[_Key, _Kept] = {}
        self._lock = threading.Lock()

    def answer(self, request: SeatRequest) -> SeatReport:
        """Ask the agent for its turn. A failure of ours goes into the report."""
        with self._lock:
            return self._answer(request)

    def watch(self, over: threading.Event) -> None:
        """End unused processes, until the worker ends. For a thread."""
        while not over.wait(_POLL_SECONDS):
            with self._lock:
                self.end_unused(before=time.monotonic() - _KEPT_SECONDS)

    def end_unused(self, *, before: float) -> None:
        """End the processes that were last used before this time of the monotonic clock."""
        for key in [key for key, kept in self._kept.items() if kept.used_at < before]:
            self._drop(key)

    def close(self) -> None:
        """End all processes."""
        for key in list(self._kept):
            self._drop(key)

    def _answer(self, request: SeatRequest) -> SeatReport:
        blank = SeatReport(ask=request.ask, request=request.digest())
        key = request.table, request.seat
        failures = []
        for is_last in (False, True):  # a process that was lost is begun again, once
            try:
                return self._asked(request, key, blank, is_last=is_last)
            except (GraderError, SandboxError, OSError) as error:
                failures.append(f"{type(error).__name__}: {error}")
                self._drop(key)
                if isinstance(error, RecordError):
                    break
        return replace(blank, system_fault="; ".join(failures))

    def _asked(
        self, request: SeatRequest, key: _Key, blank: SeatReport, *, is_last: bool
    ) -> SeatReport:
        game = _game_of(request)
        position = play_on(game, bytes.fromhex(request.deal_seed), request.actions.split())
        if position.asked is None or position.seat != request.seat:
            raise RecordError("it is not this seat's turn")
        kept = self._process(request, key, game, position.told_to(request.seat))
        try:
            _catch_up(kept, game, position.told_to(request.seat))
            reply = _take(kept, position.asked)
        except _AgentFailed as failed:
            _require_own_fault(kept, is_last=is_last)
            evidence = kept.player.evidence()
            self._drop(key)
            detail = failed.failure.detail
            if failed.turn < position.asked.number:
                when = "while starting" if failed.turn < 0 else f"at turn {failed.turn}"
                detail = f"{detail} ({when}, as it was told the game so far)"
            fault = SeatFault(kind=failed.failure.kind, detail=detail)
            return replace(
                blank,
                fault=fault,
                evidence=evidence,
                charged_us=failed.failure.charged_us,
                differs_at=kept.differs_at,
            )
        action = reply.action or {}
        kept.answered.append((position.asked.number, _notated(game, position.asked, action)))
        kept.used_at = time.monotonic()
        charged_us = reply.charged_us
        return replace(blank, action=action, charged_us=charged_us, differs_at=kept.differs_at)

    def _process(
        self, request: SeatRequest, key: _Key, game: Game, messages: Sequence[Told]
    ) -> _Kept:
        kept = self._kept.get(key)
        known = [(turn.number, notation) for turn, notation in messages]
        if kept is not None and kept.answered == known[: len(kept.answered)]:
            return kept
        self._drop(key)
        while len(self._kept) >= MAX_KEPT:
            self._drop(min(self._kept, key=lambda key: self._kept[key].used_at))
        archive = self._archive_of(request.agent.sha256)
        single = SingleSandbox(game, request.agent, request.limits, archive, self._slot)
        if not single.build.ok:
            single.close()
            raise SystemFault("the agent, which has played before, could not be built again")
        kept = _Kept(
            single, single.start(request.own_seats or (request.seat,)), used_at=time.monotonic()
        )
        self._kept[key] = kept
        return kept

    def _drop(self, key: _Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            with suppress(SandboxError, OSError):  # it may have been lost already
                kept.single.close()


def _require_own_fault(kept: _Kept, *, is_last: bool) -> None:
    """Raise HostError for lost files, SandboxLost for the first timeout that may be the host's."""
    kept.single.require_whole()
    if kept.player.doubtful and not is_last:
        raise SandboxLost("the host lost time in a turn that timed out")


def _game_of(request: SeatRequest) -> Game:
    game = game_from_options(request.game, request.options)
    if game.rules_version != request.rules_version or dict(game.options) != request.options:
        raise RecordError("the site has other rules than this grader")
    if version_of(type(game)) != (request.game_version or ""):
        raise RecordError(f"this grader has another version of {game.title} than the site")
    return game


def _catch_up(kept: _Kept, game: Game, messages: Sequence[Told]) -> None:
    for turn, recorded in messages[len(kept.answered) :]:
        reply = _take(kept, turn)
        if turn.kind is TurnKind.ACT and _notated(game, turn, reply.action or {}) != recorded:
            kept.differs_at = turn.number if kept.differs_at is None else kept.differs_at
        kept.answered.append((turn.number, recorded))


def _take(kept: _Kept, turn: Turn) -> Reply:
    reply = kept.player.take(turn)
    if isinstance(reply, PlayerFailure):
        raise _AgentFailed(reply, turn.number)
    assert reply is not None  # noqa: S101 - only an end is answered with nothing
    return reply


def _notated(game: Game, turn: Turn, action: dict[str, object]) -> str:
    return game.notate(action) if action in turn.message["legal"] else ""
