"""Recording of graders' reports: idempotent, in any order, however often the same report comes.

One row per (evaluation, index), inserted or ignored, is what makes it so. Everything else is
derived from the rows under the evaluation's lock, never added up.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from grader.core import records
from grader.core.deals import deal_seed
from grader.core.errors import RecordError, SystemFault
from grader.core.games import game_from_options
from grader.core.records import BatchPhase, BatchReport, Mode
from grader.results.evaluation import EvaluationSpec, sitting, stop_index
from grader.results.receipt import check_result
from webapp.evaluations.models import Batch, BatchStatus, Evaluation, GameResult, Status
from webapp.evaluations.models.batch import MAX_ATTEMPTS
from webapp.evaluations.models.batch import OPEN as OPEN_BATCH
from webapp.evaluations.models.result import columns_of
from webapp.evaluations.services import askers, batches, claims, finishing
from webapp.storable import storable

logger = logging.getLogger(__name__)

_CLOSED: Final = (Status.FINISHED, Status.CANCELLED)
"""In these an evaluation takes no more results; a failed one still does."""
STRAGGLERS: Final = timedelta(seconds=15)
"""The time in which earlier reports of a batch may still arrive after its last one."""

PAUSES: Final[Mapping[int, timedelta]] = {1: timedelta(seconds=10), 2: timedelta(seconds=60)}
"""The wait after a SystemFault, by attempt. A host's trouble, such as a Docker that restarts, fails
every batch at once, and would otherwise use up all attempts within a second."""


def record_batch(
    report: BatchReport, *, then: finishing.OnFinish, key: str = "", at: datetime | None = None
) -> None:
    """Record one report of the grader with this public key; one without a key is trusted.

    ``then`` is called, in the same transaction, for an evaluation that the report finishes.

    Late, repeated and unknown reports change nothing. Every new game is first replayed by the
    rules, while nothing is locked. Raises RecordError, and records nothing, if another grader has
    the batch, if it played another request than was sent, or if a result contradicts the rules.
    """
    if key:
        claims.require_leave(report, key=key)
    wanted = _wanted(report)
    for result in wanted:
        check_result(result)
    _record(replace(report, results=wanted), key, at or timezone.now(), then)


def _wanted(report: BatchReport) -> tuple[records.GameResult, ...]:
    """Return the games of a report that its batch requested and that are not recorded yet.

    Only these are replayed, so that a flood of reports cannot keep the site busy. Raises
    RecordError if the report has a game twice, or a game that differs from the request.
    """
    evaluation_id, batch_id = _ids(report)
    batch = Batch.objects.select_related("evaluation").filter(uuid=batch_id).first()
    if batch is None:
        return ()
    requested = set(batch.indices)
    evaluation = batch.evaluation
    if evaluation is not None:
        if evaluation.uuid != evaluation_id or evaluation.status in (
            Status.FINISHED,
            Status.CANCELLED,
        ):
            return ()
        requested -= set(evaluation.results.values_list("index", flat=True))
    wanted = tuple(result for result in report.results if result.index in requested)
    if len({result.index for result in wanted}) < len(wanted):
        raise RecordError("a game is reported twice")
    if evaluation is not None:
        spec, secret = evaluation.parsed_spec, batches.secret_of(evaluation)
        for result in wanted:
            _check(spec, secret, evaluation.mode, result)
    return wanted


def _ids(report: BatchReport) -> tuple[UUID, UUID]:
    """Return the ids of the batch's owner and of the batch. Raises RecordError."""
    try:
        return UUID(report.evaluation), UUID(report.batch)
    except ValueError as error:
        raise RecordError(f"a report with malformed ids: {error}") from error


@transaction.atomic
def _record(report: BatchReport, key: str, now: datetime, then: finishing.OnFinish) -> None:
    if key:
        claims.claim(report, key=key)
    found = _locked(report)
    if found is None:
        if not askers.record(report, at=now):
            logger.info("nobody waits for this report of batch %s", report.batch)
        return
    evaluation, batch = found
    report = _without_late_verdict(batch, report)
    try:
        _insert(evaluation, report)
    except SystemFault as fault:  # nothing was inserted; the batch counts as given up
        report = replace(report, phase=BatchPhase.FAILED, results=(), system_fault=str(fault))
    _shorten(evaluation)
    _count(evaluation)
    if evaluation.status == Status.FAILED:
        return  # kept, so that fewer games are missing when staff send it again
    _note_progress(evaluation, batch, report, now)
    if report.phase == BatchPhase.BUILT and report.builds and not report.builds[0].ok:
        finishing.reject(evaluation, report.builds, at=now)
    elif report.phase == BatchPhase.BUILT:
        finishing.note_build(evaluation, report.builds)
    elif _settle(evaluation, batch, report, now):
        then(evaluation, now)


def _without_late_verdict(batch: Batch, report: BatchReport) -> BatchReport:
    """Turn a failed build into a failure of ours, unless this batch compiles the agent first.

    An earlier batch has compiled the same sources.
    """
    failed = report.phase == BatchPhase.BUILT and not all(build.ok for build in report.builds)
    if batch.check_first or not failed:
        return report
    reason = "The agent did not compile this time, though it had compiled when it was uploaded."
    return replace(report, phase=BatchPhase.FAILED, builds=(), system_fault=reason)


def _locked(report: BatchReport) -> tuple[Evaluation, Batch] | None:
    """Return a report's evaluation, locked, and its batch; ``None`` if it is not awaited.

    The lock (the whole database's, with SQLite) lets one report of an evaluation in at a time.
    """
    evaluation_id, batch_id = _ids(report)
    rows = Evaluation.objects.select_related("assignment")
    locked = rows.select_for_update(of=("self",), no_key=True)
    evaluation = locked.filter(uuid=evaluation_id).first()
    if evaluation is None or evaluation.status in _CLOSED:
        return None
    batch = Batch.objects.filter(uuid=batch_id, evaluation=evaluation).first()
    return None if batch is None else (evaluation, batch)


def _insert(evaluation: Evaluation, report: BatchReport) -> None:
    """Insert rows for the games of a report that have none yet: all of them, or none.

    Raises SystemFault if a result is too large to be stored.
    """
    if not report.results:
        return
    spec = evaluation.parsed_spec
    rows = [_row(evaluation, spec, result) for result in report.results]
    GameResult.objects.bulk_create(rows, ignore_conflicts=True)


def _check(spec: EvaluationSpec, secret: bytes, mode: Mode, result: records.GameResult) -> None:
    """Raise RecordError if the result is not of this game of the evaluation."""
    record = result.record
    if record.game != spec.game or record.options != spec.options:
        raise RecordError(f"game {result.index} was played by other rules than asked for")
    deal, seating = sitting(spec, result.index)
    if record.deal_seed != deal_seed(secret, deal).hex():
        raise RecordError(f"game {result.index} was played with another deal than asked for")
    if spec.opponents and result.seating != seating:
        raise RecordError(
            f"game {result.index} was played at seats {result.seating}, not {seating}"
        )
    if record.mode is not mode:
        raise RecordError(f"game {result.index} was played in mode {record.mode}, not {mode}")
    if len(record.scores) != len(spec.seating):
        raise RecordError(f"game {result.index} has {len(record.scores)} scores")
    if record.fault is not None and not 0 <= record.fault.seat < len(seating):
        raise RecordError(f"game {result.index} has a fault of seat {record.fault.seat}")
    if spec.opponents and record.fault is not None and seating[record.fault.seat] != 0:
        raise RecordError(f"game {result.index} was ended by an opponent's fault")


def _row(evaluation: Evaluation, spec: EvaluationSpec, result: records.GameResult) -> GameResult:
    record, seat = result.record, sitting(spec, result.index).seat
    faulted_score = game_from_options(spec.game, spec.options).fault_scores[seat]
    return GameResult(
        evaluation=evaluation,
        index=result.index,
        score=record.scores[seat] if record.fault is None else faulted_score,
        **columns_of(result),
    )


def _shorten(evaluation: Evaluation) -> None:
    """Cut the evaluation to the games after which its mean was known as precisely as asked.

    Results beyond them depend on how the batches were cut, so they are deleted, also those that
    come in while the evaluation has failed.
    """
    end = finishing.precise_after(evaluation)
    if end is not None:
        evaluation.results.filter(index__gte=end).delete()
        evaluation.n_games = end


def _count(evaluation: Evaluation) -> None:
    """Update the counts of games and faults, and the stop by consecutive faults, from the rows."""
    faults = dict(evaluation.results.values_list("index", "fault_kind"))
    faulted = {index for index, kind in faults.items() if kind}
    evaluation.games_done = len(faults)
    evaluation.faults = len(faulted)
    evaluation.stop_index = stop_index(
        faulted,
        n=evaluation.n_games,
        max_consecutive_faults=evaluation.parsed_spec.max_consecutive_faults,
    )
    evaluation.save(update_fields=["n_games", "games_done", "faults", "stop_index"])


def _note_progress(
    evaluation: Evaluation, batch: Batch, report: BatchReport, now: datetime
) -> None:
    """Start the evaluation and the batch at their first report; renew the lease at every one."""
    if evaluation.status == Status.QUEUED:
        evaluation.advance(Status.PLAYING, started_at=evaluation.started_at or now)
    if batch.status == BatchStatus.QUEUED:
        batch.advance(BatchStatus.PLAYING)
    until = now + (
        STRAGGLERS if report.phase == BatchPhase.DONE else batches.lease(evaluation, batch)
    )
    Batch.objects.filter(pk=batch.pk, status__in=OPEN_BATCH).update(
        lease_until=until, worker=storable(report.worker, characters=200)
    )


def _settle(evaluation: Evaluation, batch: Batch, report: BatchReport, now: datetime) -> bool:
    """Close a complete batch; send the games again that a grader gave up.

    Return whether the evaluation has finished by it.
    """
    left = batches.missing(evaluation, batch.indices)
    if not left:
        batch.advance(BatchStatus.FINISHED)
    elif report.phase == BatchPhase.FAILED:
        reason = storable(report.system_fault, characters=5000)
        pause = PAUSES.get(batch.attempt, timedelta())
        give_up(evaluation, batch, left, reason=reason, at=now, pause=pause)
    if evaluation.stop_index is not None or evaluation.stopped_early:
        _cancel_beyond(evaluation)
    return finishing.finish_if_complete(evaluation, at=now)


def _cancel_beyond(evaluation: Evaluation) -> None:
    """Cancel batches whose missing games all come after the last game that is needed."""
    for batch in evaluation.batches.open():
        if not batches.missing(evaluation, batch.indices):
            batch.advance(BatchStatus.CANCELLED)


def give_up(
    evaluation: Evaluation,
    batch: Batch,
    left: Sequence[int],
    *,
    reason: str,
    at: datetime,
    pause: timedelta = timedelta(),
) -> None:
    """Close a batch that did not do its work; send what is missing again, or fail the evaluation.

    Only who wins the batch's transition acts: a failure reported twice counts once.
    """
    if not batch.advance(BatchStatus.FAILED, system_fault=reason):
        return
    logger.warning("batch %s, attempt %d: %s", batch.uuid, batch.attempt, reason)
    if batch.attempt < MAX_ATTEMPTS:
        batches.add_batches(
            evaluation, left, at=at, attempt=batch.attempt + 1, send_after=at + pause
        )
        return
    logger.error("evaluation %s failed: %s", evaluation.uuid, reason)
    evaluation.advance(Status.FAILED, system_fault=reason)
    for other in evaluation.batches.open():
        other.advance(BatchStatus.CANCELLED)
