"""Recording what graders report of tables: idempotent, in any order, however often.

One row per (tournament, game, seating), inserted or ignored, is what makes it so. What counts is
for the ledger to say, which does not depend on the order of rows either.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from grader.core.deals import deal_seed
from grader.core.errors import RecordError, SystemFault
from grader.core.records import BatchPhase, BatchReport, GameResult, Mode
from grader.tournament import TableBatch, TournamentSpec, WantedGame
from webapp.evaluations.models import Batch, BatchStatus, Status, columns_of
from webapp.evaluations.models.batch import MAX_ATTEMPTS
from webapp.evaluations.models.batch import OPEN as OPEN_BATCH
from webapp.evaluations.services.recording import PAUSES, STRAGGLERS
from webapp.storable import storable
from webapp.tournaments.models import Tournament, TournamentGame
from webapp.tournaments.models.game import seating_text
from webapp.tournaments.services.course import (
    add_batches,
    ledger_of,
    look_after,
    plan_of,
    table_of,
)

logger = logging.getLogger(__name__)

UNBUILDABLE: Final = "could not be built"
"""Why the site takes somebody out by itself."""


def record(report: BatchReport, *, at: datetime, lease: Callable[[Batch], timedelta]) -> bool:
    """Take in one report; whether anybody waited for it. In a transaction.

    Raises RecordError for results that contradict what was asked for.
    """
    found = _locked(report)
    if found is None:
        return False
    tournament, batch = found
    try:
        _insert(tournament, batch, report)
    except SystemFault as fault:  # nothing was inserted; the batch counts as given up
        report = replace(report, phase=BatchPhase.FAILED, results=(), system_fault=str(fault))
    if not tournament.is_open:
        return True  # kept, so that fewer games are missing when staff let it go on
    _note_progress(tournament, batch, report, at, lease)
    if report.phase == BatchPhase.BUILT:
        _note_builds(tournament, batch, report, at)
    else:
        _settle(tournament, batch, report, at)
    return True


def locked(pk: int) -> Tournament:
    """The tournament as it is now; reports of it come in one at a time."""
    return Tournament.objects.select_for_update(no_key=True).get(pk=pk)


def _locked(report: BatchReport) -> tuple[Tournament, Batch] | None:
    try:
        key, batch_key = UUID(report.evaluation), UUID(report.batch)
    except ValueError as error:
        raise RecordError(f"a report with malformed ids: {error}") from error
    tournament = Tournament.objects.select_for_update(no_key=True).filter(uuid=key).first()
    if tournament is None or tournament.status == Status.FINISHED:
        return None
    batch = Batch.objects.filter(uuid=batch_key, tournament=tournament).first()
    if batch is None:
        return None
    batch.tournament = tournament
    return tournament, batch


def _insert(tournament: Tournament, batch: Batch, report: BatchReport) -> None:
    """Rows for the games that were asked for and are not there yet: all of the report, or none.

    Raises SystemFault if a result is too large to be stored.
    """
    if not report.results:
        return
    table, spec, secret = table_of(batch), tournament.parsed_spec, bytes(tournament.secret)
    asked = {game.index: game for game in table.games}
    rows = []
    for result in report.results:
        if (game := asked.get(result.index)) is not None:
            _check(spec, secret, table, game, result)
            rows.append(
                TournamentGame(
                    tournament=tournament,
                    index=game.index,
                    seating=seating_text(game.seating),
                    table=game.table,
                    **columns_of(result),
                )
            )
    TournamentGame.objects.bulk_create(rows, ignore_conflicts=True)


def _check(
    spec: TournamentSpec, secret: bytes, table: TableBatch, game: WantedGame, result: GameResult
) -> None:
    """Check that it is this game of this tournament."""
    record, seats = result.record, len(game.seating)
    if record.game != spec.game or record.options != {**spec.options, "players": seats}:
        raise RecordError(f"game {game.index} was played by other rules than asked for")
    if record.deal_seed != deal_seed(secret, game.deal).hex():
        raise RecordError(f"game {game.index} was played with another deal than asked for")
    seating = tuple(table.participants.index(member) for member in game.seating)
    if result.seating != seating:
        raise RecordError(f"game {game.index} was played at seats {result.seating}, not {seating}")
    if record.mode is not Mode.SEAT:
        raise RecordError(f"game {game.index} was played in mode {record.mode}")
    if len(record.scores) != seats:
        raise RecordError(f"game {game.index} has {len(record.scores)} scores")
    if record.fault is not None and not 0 <= record.fault.seat < seats:
        raise RecordError(f"game {game.index} has a fault of seat {record.fault.seat}")


def _note_progress(
    tournament: Tournament,
    batch: Batch,
    report: BatchReport,
    now: datetime,
    lease: Callable[[Batch], timedelta],
) -> None:
    """The first report starts the tournament and the batch; every report moves the lease on."""
    if tournament.status == Status.QUEUED:
        tournament.advance(Status.PLAYING, started_at=tournament.started_at or now)
    if batch.status == BatchStatus.QUEUED:
        batch.advance(BatchStatus.PLAYING)
    until = now + (STRAGGLERS if report.phase == BatchPhase.DONE else lease(batch))
    Batch.objects.filter(pk=batch.pk, status__in=OPEN_BATCH).update(
        lease_until=until, worker=storable(report.worker, characters=200)
    )


def _note_builds(tournament: Tournament, batch: Batch, report: BatchReport, now: datetime) -> None:
    """Whoever cannot be built is taken out, and its games are played without it."""
    bad = [
        number
        for number, build in zip(table_of(batch).participants, report.builds, strict=False)
        if not build.ok
    ]
    if not bad:
        return
    for number in bad:
        tournament.participants.filter(number=number, excluded_from_round__isnull=True).update(
            excluded_from_round=_first_without(tournament, batch, number),
            exclusion_reason=UNBUILDABLE,
            excluded_at=now,
        )
    batch.advance(BatchStatus.CANCELLED)
    look_after(tournament, at=now)


def _first_without(tournament: Tournament, batch: Batch, number: int) -> int:
    """The round from which on somebody is out that could not be built for this batch.

    What it has played stands: sources whose build is a matter of time or chance must not be able to
    have everybody's earlier games played again.
    """
    if not tournament.games.of(number).exists():
        return 0
    table = table_of(batch).table
    return next(each.round for each in plan_of(tournament).tables if each.number == table)


def _settle(tournament: Tournament, batch: Batch, report: BatchReport, now: datetime) -> None:
    """Close what is complete; ask again for what a grader gave up; ask for what is next."""
    left = left_of(batch)
    closed = False
    if not left or (report.phase == BatchPhase.DONE and report.stopped and _brought(batch, left)):
        closed = batch.advance(BatchStatus.FINISHED)
    elif report.phase == BatchPhase.FAILED:
        reason = storable(report.system_fault, characters=5000)
        give_up(tournament, batch, left, reason=reason, at=now, pause=PAUSES.get(batch.attempt))
        closed = True
    if closed:
        look_after(tournament, at=now, thoroughly=False)


def left_of(batch: Batch) -> tuple[WantedGame, ...]:
    """The games of the batch that are not recorded. One query."""
    table = table_of(batch)
    rows = TournamentGame.objects.filter(
        tournament__batches=batch, index__in=[game.index for game in table.games]
    )
    have = set(rows.values_list("index", "seating"))
    return tuple(
        game for game in table.games if (game.index, seating_text(game.seating)) not in have
    )


def _brought(batch: Batch, left: Sequence[WantedGame]) -> bool:
    return len(left) < batch.n_games


def give_up(
    tournament: Tournament,
    batch: Batch,
    left: Sequence[WantedGame],
    *,
    reason: str,
    at: datetime,
    pause: timedelta | None = None,
) -> None:
    """Close a batch that did not do its work; send what is still wanted again, or fail.

    Only who wins the batch's transition acts. A batch that brought some games is no proof of
    trouble: its rest starts as a first attempt, so a long table on a shaky grader gets through.
    """
    if not batch.advance(BatchStatus.FAILED, system_fault=reason):
        return
    logger.warning("batch %s, attempt %d: %s", batch.uuid, batch.attempt, reason)
    wanted = set(ledger_of(tournament).wanted)
    again = [game for game in left if game in wanted]
    attempt = 1 if _brought(batch, left) else batch.attempt + 1
    if again and attempt > MAX_ATTEMPTS:
        fail(tournament, reason=reason)
    elif again:
        send_after = None if pause is None else at + pause
        table = replace(table_of(batch), games=tuple(again))
        add_batches(tournament, [table], at=at, attempt=attempt, send_after=send_after)


def fail(tournament: Tournament, *, reason: str) -> None:
    """Our infrastructure gives up; staff can let it go on."""
    logger.error("tournament %s failed: %s", tournament.uuid, reason)
    tournament.advance(Status.FAILED, system_fault=reason)
    for other in tournament.batches.open():
        other.advance(BatchStatus.CANCELLED)


def expire(batch: Batch, *, at: datetime) -> bool:
    """A batch whose lease has run out; False if a report came in between. In a transaction."""
    if batch.tournament_id is None:
        return False
    tournament = locked(batch.tournament_id)
    late = Batch.objects.open().filter(pk=batch.pk, lease_until__lt=at).first()
    if late is None or not tournament.is_open:
        return False
    if left := left_of(late):
        games = f"{len(left)} of its {late.n_games} games"
        reason = f"No word of {games}: the grader or the broker died."
        give_up(tournament, late, left, reason=reason, at=at)
    else:
        late.advance(BatchStatus.FINISHED)
    look_after(tournament, at=at)
    return True
