"""A grader for ladders: strengths in place of games, and faults as one asks.

The records cannot be replayed: see ``tests.webapp.fakes``.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from grader.core.records import BatchPhase, BatchReport, FaultKind, GameResult
from grader.tournament import TableBatch
from tests.support.jobs import request_of
from tests.support.tables import report
from tests.support.trusted import record_batch
from tests.webapp import fakes
from webapp.contests.ladders.models import Ladder
from webapp.contests.tables.jobs import table_of
from webapp.grading.jobs.models import Job

Strength = Callable[[int], int]
LUCK: Final = (0, 1, -1, 2, 0, -2, 1, 0, -1, 0, 1, -1)
"""Of the deals of a round, in points."""


def strength(number: int) -> int:
    """An agent's addition to a score: those that entered later add more."""
    return 2 + number


def jobs(ladder: Ladder) -> list[Job]:
    return list(ladder.jobs.open().select_related("ladder").order_by("pk"))


def answers(
    job: Job, *, adds: Strength = strength, faulty: Collection[int] = ()
) -> tuple[GameResult, ...]:
    """The job's games as a grader reports them; whoever is ``faulty`` spoils each of its own."""
    table = table_of(job)
    seated = {game.index: game for game in table.games}
    culprit = next((number for number in table.participants if number in faulty), None)

    def outcome(index: int) -> int:
        game = seated[index]
        return sum(map(adds, game.seating)) + LUCK[game.deal % len(LUCK)]

    if culprit is None:
        return fakes.played(request_of(job), outcome)
    return tuple(
        _spoiled(result, table, culprit)
        for result in fakes.played(request_of(job), lambda _: FaultKind.CRASH)
    )


def _spoiled(result: GameResult, table: TableBatch, culprit: int) -> GameResult:
    """The same fault, of this participant."""
    fault = result.record.fault
    assert fault is not None
    seat = next(game for game in table.games if game.index == result.index).seating.index(culprit)
    return replace(result, record=replace(result.record, fault=replace(fault, seat=seat)))


def answer(
    job: Job,
    *,
    adds: Strength = strength,
    faulty: Collection[int] = (),
    at: datetime | None = None,
) -> BatchReport:
    """Play the job and have it recorded."""
    made = report(job, BatchPhase.DONE, answers(job, adds=adds, faulty=faulty))
    record_batch(made, at=at)
    return made


def play(
    ladder: Ladder,
    *,
    tables: int = 10_000,
    adds: Strength = strength,
    faulty: Collection[int] = (),
    clock: Callable[[], datetime] | None = None,
) -> Ladder:
    """Play until nothing is requested, at most ``tables``; return the ladder, read again."""
    while tables > 0 and (waiting := jobs(ladder)):
        answer(waiting[0], adds=adds, faulty=faulty, at=None if clock is None else clock())
        tables -= 1
    ladder.refresh_from_db()
    return ladder


def rows(ladder: Ladder) -> Mapping[str, tuple[int, float | None]]:
    """For each name with its version: games, and the rating."""
    found = ladder.standings
    assert found is not None
    names = {entry.number: str(entry) for entry in ladder.entries.all()}
    return {
        names[row.participant]: (row.games, None if row.adjusted is None else row.adjusted.value)
        for row in found.rows
    }
