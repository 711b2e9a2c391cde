"""Runs the plays of the replay audit: one seat, alone, in a fresh process per run.

The shell around ``audit``. One container serves all first looks at an agent; the rounds over a
suspect get containers of their own.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from grader.audit import AuditedGame, AuditReport, AuditRequest, Conclusion, SeatAudit
from grader.audit.rule import (
    MAX_FLAGS,
    Cue,
    RunEnd,
    RunOrder,
    Script,
    audit_seat,
    left_out,
    pauses_us,
    script_of,
)
from grader.core.errors import RecordError, SystemFault
from grader.core.records import FaultKind, Mode
from grader.core.referee import BEFORE_FIRST_TURN, PlayerFailure
from grader.play.games import BatchGames
from grader.play.players import ProcessPlayer
from grader.play.single import single_sandbox
from grader.play.slot import Slot
from grader.results.replay import game_of

_US: Final = 1e-6


def audit_games(request: AuditRequest, archive: bytes, slot: Slot) -> AuditReport:
    """Look again at every seat of the request's games, while there is time.

    ``archive`` has the stored sources of ``request.agent``. Raises RecordError for records that do
    not replay, SystemFault after three failures of ours and for an agent that cannot be built any
    more.
    """
    began = time.monotonic()
    scripts = [
        (game, script_of(game.record, seat))
        for game in request.games
        for seat in request.seats_of(game)
    ]
    auditor = _Auditor(request, began + request.seconds)
    with _open(request, archive, slot) as games:
        seats = tuple(auditor.look_at(games, game, script) for game, script in scripts)
    return AuditReport(audit=request.audit, seats=seats, seconds=round(time.monotonic() - began, 3))


@contextmanager
def _open(request: AuditRequest, archive: bytes, slot: Slot) -> Iterator[BatchGames]:
    if not request.games:
        raise RecordError("an audit of no games")
    game = game_of(request.games[0].record)
    with single_sandbox(game, request.agent, request.limits, archive, slot) as (games, build):
        if not build.ok:
            raise SystemFault("the agent, which has played before, could not be built again")
        yield games


class _Auditor:
    """Audits one seat after another, until its time is over or enough is found."""

    def __init__(self, request: AuditRequest, deadline: float) -> None:
        self._request = request
        self._deadline = deadline
        self._flags = 0

    def look_at(self, games: BatchGames, game: AuditedGame, script: Script) -> SeatAudit:
        """Run everything for one seat of one game.

        Seats that shared a process need no channel and are left out.
        """
        if self._flags >= MAX_FLAGS or script.record.mode is Mode.TEAM:
            return left_out(game.index, script)
        own_seats = self._request.seats_of(game)
        audit = audit_seat(game.index, script)
        try:
            order = next(audit)
            while True:
                order = audit.send(self._run(games, own_seats, script, order))
        except StopIteration as stop:
            result: SeatAudit = stop.value
        self._flags += result.conclusion is Conclusion.DIFFERS
        return result

    def _run(
        self, games: BatchGames, own_seats: Sequence[int], script: Script, order: RunOrder
    ) -> RunEnd | None:
        if time.monotonic() >= self._deadline:
            return None
        if order.renewed:
            games.pool.close()
        pauses = pauses_us(script, order, seed=self._request.seed)
        return games.run_alone(
            lambda player: _perform(player, script, pauses, self._deadline), own_seats
        )


def _perform(
    player: ProcessPlayer, script: Script, pauses: tuple[int, ...], deadline: float
) -> RunEnd | None:
    """Let an agent answer until an answer differs; ``None`` if time is over before that."""
    charged: list[int] = []
    answer = player.take(script.start)
    if isinstance(answer, PlayerFailure):
        failed = RunEnd(turn=BEFORE_FIRST_TURN, paused_us=(), charged_us=())
        return replace(failed, fault=answer.kind, detail=answer.detail)
    for cue, pause_us in zip(script.cues, pauses, strict=True):
        if pause_us:
            time.sleep(pause_us * _US)  # the subject of the test: only time passes here
        if time.monotonic() >= deadline:
            return None
        different = _ask(player, script, cue, charged)
        if different is not None:
            return replace(different, paused_us=pauses, charged_us=tuple(charged))
    return RunEnd(paused_us=pauses, charged_us=tuple(charged))


def _ask(player: ProcessPlayer, script: Script, cue: Cue, charged: list[int]) -> RunEnd | None:
    answer = player.take(cue.turn)
    assert answer is not None  # noqa: S101 - only an end is answered with nothing
    charged.append(answer.charged_us)
    end = RunEnd(turn=cue.turn.number, paused_us=(), charged_us=())
    if isinstance(answer, PlayerFailure):
        return replace(end, fault=answer.kind, detail=answer.detail)
    action = script.played(cue, answer.action or {})
    if action is None:
        return replace(end, fault=FaultKind.ILLEGAL, detail="an action that the rules refuse")
    return None if action == cue.recorded else replace(end, action=action)
