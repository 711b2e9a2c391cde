"""Games that are added to evaluations, and change nothing but their counts.

The counts are carried on where nobody else has changed them since they were read, and counted from
the rows by every report with consequences (``jobs``), at the latest when a batch ends.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_
from typing import Final

from django.db import IntegrityError, connection, transaction
from django.db.models import Q

from grader.core import records
from grader.core.errors import SystemFault
from grader.core.games import game_from_options
from grader.core.records import BatchReport
from grader.results.evaluation import EvaluationSpec, game_setup
from webapp.grading.evaluations.models import Evaluation, GameResult, Status
from webapp.grading.evaluations.models.result import columns_of
from webapp.grading.jobs.models import Job

_CARRY_ON: Final = f"""
    UPDATE {Evaluation._meta.db_table} SET games_done = %s, faults = %s
    WHERE id = %s AND status = %s AND n_games = %s AND games_done = %s AND faults = %s
        AND stop_index IS NULL
"""  # noqa: S608 - the name of a table of ours


def unrecorded_of(games: Sequence[tuple[Job, Collection[int]]]) -> dict[int, set[int]]:
    """Return which of these games have no row, by job. One query.

    Left out are jobs of evaluations that more games may end.
    """
    going_on = [(job, indices) for job, indices in games if _goes_on(_evaluation_of(job))]
    if not going_on:
        return {}
    spans = (
        Q(evaluation=job.evaluation_id, index__gte=min(indices), index__lte=max(indices))
        for job, indices in going_on
    )
    rows = GameResult.objects.filter(reduce(or_, spans)).order_by()
    recorded = set(rows.values_list("evaluation", "index"))
    return {
        job.pk: {
            index
            for index in indices
            if _asks_for(job, index) and (job.evaluation_id, index) not in recorded
        }
        for job, indices in going_on
    }


def _goes_on(evaluation: Evaluation) -> bool:
    """Return whether it is being played, and ends neither early nor at a streak of faults."""
    return (
        evaluation.status == Status.PLAYING
        and evaluation.stop_index is None
        and evaluation.parsed_spec.half_width is None
    )


def _asks_for(job: Job, index: int) -> bool:
    return any(low <= index <= high for low, high in job.payload["ranges"])


def add(reports: Sequence[tuple[Job, BatchReport]]) -> set[int]:
    """Add the games of these reports in one transaction; return the keys of the jobs done.

    Left out are those of evaluations that the games would end, or whose counts somebody has just
    changed; all, if another worker has just recorded one of the games.
    """
    jobs: defaultdict[int, set[int]] = defaultdict(set)
    rows: defaultdict[int, list[GameResult]] = defaultdict(list)
    evaluations: dict[int, Evaluation] = {}
    for job, report in reports:
        evaluation = _evaluation_of(job)
        try:
            rows[evaluation.pk] += _rows(evaluation, report)
        except SystemFault:  # said when it is recorded alone
            continue
        evaluations[evaluation.pk] = evaluation
        jobs[evaluation.pk].add(job.pk)
    try:
        with transaction.atomic():
            kept = [pk for pk in sorted(evaluations) if _carry_on(evaluations[pk], rows[pk])]
            GameResult.objects.bulk_create(row for pk in kept for row in rows[pk])
    except IntegrityError:
        return set()
    return {job for pk in kept for job in jobs[pk]}


def _evaluation_of(job: Job) -> Evaluation:
    if job.evaluation is None:
        raise LookupError(f"{job} is of no evaluation")
    return job.evaluation


def _rows(evaluation: Evaluation, report: BatchReport) -> list[GameResult]:
    spec = evaluation.parsed_spec
    return [row_of(evaluation, spec, result, b"") for result in report.results]


def row_of(
    evaluation: Evaluation, spec: EvaluationSpec, result: records.GameResult, prints: bytes
) -> GameResult:
    """Make the row of a game. Raises SystemFault if it is too large to be stored."""
    record, seat = result.record, game_setup(spec, result.index).seat
    return GameResult(
        evaluation=evaluation,
        index=result.index,
        score=record.scores[seat] if record.fault is None else _faulted_score(spec, seat),
        prints=prints,
        **columns_of(result),
    )


def _faulted_score(spec: EvaluationSpec, seat: int) -> int:
    return game_from_options(spec.game, spec.options).own_fault_score(seat)


def _carry_on(evaluation: Evaluation, rows: Sequence[GameResult]) -> bool:
    """Count these rows as well, if its counts are as they were read; return whether they are.

    A conditional UPDATE, which keeps others from adding games until the transaction ends. In SQL:
    to have Django build it takes longer than to run it.
    """
    done = evaluation.games_done + len(rows)
    faults = evaluation.faults + sum(bool(row.fault_kind) for row in rows)
    most = evaluation.parsed_spec.max_consecutive_faults
    if done >= evaluation.n_games or 0 < most <= faults:
        return False
    unchanged = (evaluation.n_games, evaluation.games_done, evaluation.faults)
    with connection.cursor() as cursor:
        cursor.execute(_CARRY_ON, (done, faults, evaluation.pk, Status.PLAYING.value, *unchanged))
        return bool(cursor.rowcount)
