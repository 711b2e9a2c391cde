"""A grader for tournaments: real games of house agents here, and faults as one asks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from grader.core.games import game_from_options
from grader.core.records import BatchPhase, BatchReport, BatchRequest, BuildReport, GameResult
from tests.support import world
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from webapp.contests.tables.jobs import table_of
from webapp.contests.tournaments.models import Tournament
from webapp.grading.jobs.models import Job

NAMES: Final = {
    "hanabi": ("iggi", "piers", "random_legal", "outer"),
    "hearts": ("hearts/low_card", "hearts/careful", "hearts/guarded"),
}
"""By game, who plays for participant 0, 1, 2, …, again and again."""

Culprit = Callable[[int, Sequence[int]], int | None]
"""From a game's index and who sits there: the participant that spoils it."""


def nobody(_index: int, _seated: Sequence[int]) -> None:
    """No agent has a fault."""


def always(*numbers: int) -> Culprit:
    """These spoil every game that they sit in."""
    return lambda _index, seated: next((each for each in seated if each in numbers), None)


def jobs(tournament: Tournament) -> list[Job]:
    return list(tournament.jobs.open().select_related("tournament").order_by("pk"))


def results(
    batch: Job, culprit: Culprit = nobody, only: Iterable[int] | None = None
) -> tuple[GameResult, ...]:
    """Its games (or those at some positions), played."""
    request, table = request_of(batch), table_of(batch)
    positions = range(len(table.games)) if only is None else only
    return tuple(
        _result(request, at, table.games[at].seating, culprit(table.games[at].index, seating))
        for at in positions
        for seating in [table.games[at].seating]
    )


def _result(
    request: BatchRequest, at: int, seated: Sequence[int], culprit: int | None
) -> GameResult:
    order = request.games[at]
    game = game_from_options(request.game, request.options)
    names = NAMES.get(request.game) or (world.usual_agent(request.game),)
    agents = tuple(world.class_of(names[number % len(names)]) for number in seated)
    record = world.record_of(game, bytes.fromhex(order.deal_seed), agents)
    if culprit is None:
        result = world.result_of(order.index, record)
    else:
        seat = seated.index(culprit)
        result = world.faulted(order.index, record, game, seat=seat, turn=0)
    return replace(result, seating=order.seating)


def report(
    batch: Job,
    phase: BatchPhase = BatchPhase.DONE,
    games: Sequence[GameResult] = (),
    *,
    builds: tuple[BuildReport, ...] = (),
    stopped: bool = False,
    system_fault: str = "",
) -> BatchReport:
    return BatchReport(
        evaluation=request_of(batch).evaluation,
        batch=str(batch.uuid),
        phase=phase,
        results=tuple(games),
        builds=builds,
        stopped=stopped,
        system_fault=system_fault,
        worker="test",
    )


def play(tournament: Tournament, culprit: Culprit = nobody, *, tables: int = 10_000) -> Tournament:
    """Play it to its end, at most ``tables`` tables; return it, read again."""
    while (waiting := jobs(tournament)) and tables > 0:
        record_batch(report(waiting[0], games=results(waiting[0], culprit)))
        tables -= 1
    tournament.refresh_from_db()
    return tournament
