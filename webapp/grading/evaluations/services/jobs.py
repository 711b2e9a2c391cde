"""Evaluations as owners of jobs: their requests to graders, and the consequences of reports."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Final

import msgspec
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q

from grader.core import records
from grader.core.errors import SystemFault
from grader.core.games import game_from_options, game_named
from grader.core.games.uploaded import for_requests
from grader.core.records import AgentRef, BatchReport, BatchRequest
from grader.results.evaluation import EvaluationSpec, batch_request, game_setup, stop_index
from grader.results.prints import FIRST_GAMES, LOWEST_GAMES
from webapp.grading.evaluations.models import Evaluation, GameResult, Status
from webapp.grading.evaluations.models.evaluation import parsed_spec
from webapp.grading.evaluations.models.result import columns_of, pack_prints
from webapp.grading.evaluations.services import finishing
from webapp.grading.evaluations.services.batches import (
    add_batches,
    checks_first,
    indices_of,
    missing,
    secret_of,
    unrecorded,
)
from webapp.grading.jobs.models import Job, JobStatus, Sending
from webapp.grading.jobs.owners import RunOwner
from webapp.grading.jobs.sending import give_up
from webapp.grading.submissions.models import SubmissionStatus

CLOSED: Final = (Status.FINISHED, Status.CANCELLED)
"""In these an evaluation takes no more results; a failed one still does."""
LONG_GAME_TURNS: Final = 100
"""Bounds the time of a game that a grader's figures can claim."""
UNKNOWN_GAME_TURNS: Final = 30
"""Full turns that one game may take before we worry, while nothing is known of the agent."""
_KEPT_REQUESTS: Final = 256
"""Requests that a process remembers, of some 100 KiB at most."""
COMPILED_BEFORE: Final = (
    "The agent did not compile this time, though it had compiled when it was uploaded."
)
OPPONENT_FAILED: Final = "An opponent, which is a house agent, did not compile."


class EvaluationJobs(RunOwner[Evaluation]):
    field = "evaluation"
    related = ("assignment",)

    def __init__(self, then: finishing.OnFinish) -> None:
        """``then`` is called for an evaluation that has finished, in the same transaction."""
        self._then = then

    def request_of(self, job: Job) -> BatchRequest:
        request, _ = self._kept(job)
        # Nobody changes the one that is kept.
        return replace(request, options=dict(request.options))

    def digest_of(self, job: Job) -> str:
        return self._kept(job)[1]

    def _kept(self, job: Job) -> tuple[BatchRequest, str]:
        evaluation = self.row_of(job)
        return _request(
            msgspec.json.encode(evaluation.spec),
            evaluation=str(evaluation.uuid),
            batch=str(job.uuid),
            agents=evaluation.agents,
            secret=secret_of(evaluation),
            ranges=tuple((low, high) for low, high in job.payload["ranges"]),
            check_first=checks_first(job),
            with_prints=evaluation.keeps_prints,
            game_version=evaluation.assignment.game_version,
        )

    def slack_seconds(self, job: Job) -> float:
        evaluation = self.row_of(job)
        limits = evaluation.parsed_spec.limits
        if evaluation.ms_per_game is None:
            return UNKNOWN_GAME_TURNS * limits.turn_seconds
        longest = LONG_GAME_TURNS * limits.turn_wall_seconds
        return min(3 * evaluation.ms_per_game / 1000, longest)

    def takes_results(self, row: Evaluation) -> bool:
        return row.status not in CLOSED

    def missing_games(self, job: Job) -> int:
        return len(missing(self.row_of(job), indices_of(job)))

    def unrecorded_games(self, job: Job) -> set[int]:
        evaluation = self.row_of(job)
        if not self.takes_results(evaluation):
            return set()
        return unrecorded(evaluation, indices_of(job))

    def insert(self, job: Job, report: BatchReport) -> None:
        evaluation = self.row_of(job)
        if report.results:
            spec = evaluation.parsed_spec
            prints = {
                game_prints.index: pack_prints(game_prints.printed) for game_prints in report.prints
            }
            rows = [
                row_of(evaluation, spec, result, prints.get(result.index, b""))
                for result in report.results
            ]
            GameResult.objects.bulk_create(rows, ignore_conflicts=True)
            if prints:
                _forget_prints(evaluation)
        _shorten(evaluation)
        _count(evaluation)

    def unrecorded_of(self, games: Sequence[tuple[Job, Collection[int]]]) -> dict[int, set[int]]:
        """Return which of these games have no row, by job. One query.

        Left out are jobs of evaluations that more games may end.
        """
        going_on = [(job, indices) for job, indices in games if _goes_on(self.row_of(job))]
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

    def add(self, reports: Sequence[tuple[Job, BatchReport]]) -> set[int]:
        """Add the games of these reports in one transaction; return the keys of the jobs done.

        Left out are those of evaluations that the games would end, or whose counts have just
        changed; all, if another worker has just recorded one of the games.
        """
        jobs: defaultdict[int, set[int]] = defaultdict(set)
        rows: defaultdict[int, list[GameResult]] = defaultdict(list)
        evaluations: dict[int, Evaluation] = {}
        for job, report in reports:
            evaluation = self.row_of(job)
            try:
                spec = evaluation.parsed_spec
                rows[evaluation.pk] += [
                    row_of(evaluation, spec, result, b"") for result in report.results
                ]
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

    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Move the submission on, or reject it: only if this batch compiles the agent first.

        Otherwise the same sources were compiled before, and the failure is ours. So is an
        opponent's.
        """
        evaluation = self.row_of(job)
        if all(build.ok for build in report.builds[:1]):
            finishing.note_build(evaluation, report.builds)
            if not all(build.ok for build in report.builds):
                give_up(job, reason=OPPONENT_FAILED, at=at, lost=False)
        elif not _compiles_first(job, evaluation):
            give_up(job, reason=COMPILED_BEFORE, at=at, lost=False)
        elif finishing.reject(evaluation, report.builds, at=at):
            self._then(evaluation, at)

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        del closed
        evaluation = self.row_of(job)
        if evaluation.stop_index is not None or evaluation.stopped_early:
            _cancel_beyond(evaluation)
        if finishing.finish_if_complete(evaluation, at=at):
            self._then(evaluation, at)

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        del reason
        evaluation = self.row_of(job)
        add_batches(evaluation, missing(evaluation, indices_of(job)), sending)


@lru_cache(maxsize=_KEPT_REQUESTS)
def _request(
    spec: bytes,
    *,
    evaluation: str,
    batch: str,
    agents: tuple[AgentRef, ...],
    secret: bytes,
    ranges: tuple[tuple[int, int], ...],
    check_first: bool,
    with_prints: bool,
    game_version: str,
) -> tuple[BatchRequest, str]:
    """Make a request, and its digest. The last ones are kept: many reports are compared to each."""
    request = batch_request(
        parsed_spec(spec),
        evaluation=evaluation,
        batch=batch,
        agents=agents,
        secret=secret,
        indices=[index for low, high in ranges for index in range(low, high + 1)],
        check_first=check_first,
        with_prints=with_prints,
    )
    request = replace(
        request,
        game_version=game_version or msgspec.UNSET,
        **for_requests(game_named(request.game)),
    )
    return request, request.digest()


def _compiles_first(job: Job, evaluation: Evaluation) -> bool:
    """Return whether the agent was not compiled before: a first test may be sent again."""
    submission = evaluation.submission
    is_new = submission is None or submission.status == SubmissionStatus.RECEIVED
    return checks_first(job) and is_new and not evaluation.games_done


def _forget_prints(evaluation: Evaluation) -> None:
    """Keep the output of the first, the lowest and the faulted games."""
    later = evaluation.results.filter(index__gte=FIRST_GAMES, fault_kind="")
    worst_first = "-score" if evaluation.assignment.rules.lower_is_better else "score"
    kept = list(later.order_by(worst_first, "index").values_list("pk", flat=True)[:LOWEST_GAMES])
    later.exclude(prints=b"").exclude(pk__in=kept).update(prints=b"")


def _shorten(evaluation: Evaluation) -> None:
    """Cut the evaluation to the games after which its mean was known as precisely as asked.

    Results beyond them depend on how the batches were cut.
    """
    end = finishing.precise_after(evaluation)
    if end is not None:
        evaluation.results.filter(index__gte=end).delete()
        evaluation.n_games = end


def _count(evaluation: Evaluation) -> None:
    faulted = ~Q(fault_kind="")
    counts = evaluation.results.aggregate(done=Count("pk"), faults=Count("pk", filter=faulted))
    evaluation.games_done, evaluation.faults = counts["done"], counts["faults"]
    evaluation.stop_index = None
    most = evaluation.parsed_spec.max_consecutive_faults
    if 0 < most <= evaluation.faults:
        indices = set(evaluation.results.filter(faulted).values_list("index", flat=True))
        evaluation.stop_index = stop_index(
            indices, n=evaluation.n_games, max_consecutive_faults=most
        )
    evaluation.save(update_fields=["n_games", "games_done", "faults", "stop_index"])


def _cancel_beyond(evaluation: Evaluation) -> None:
    for job in evaluation.jobs.open():
        if not missing(evaluation, indices_of(job)):
            job.advance(JobStatus.CANCELLED)


_CARRY_ON: Final = f"""
    UPDATE {Evaluation._meta.db_table} SET games_done = %s, faults = %s
    WHERE id = %s AND status = %s AND n_games = %s AND games_done = %s AND faults = %s
        AND stop_index IS NULL
"""  # noqa: S608 - the name of a table of ours


def _goes_on(evaluation: Evaluation) -> bool:
    return (
        evaluation.status == Status.PLAYING
        and evaluation.stop_index is None
        and evaluation.parsed_spec.half_width is None
    )


def _asks_for(job: Job, index: int) -> bool:
    return any(low <= index <= high for low, high in job.payload["ranges"])


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
    """Count these rows too if the job's counts are as they were read; return whether they are.

    The conditional UPDATE keeps others from adding games until the transaction ends. In SQL: to
    have Django build it takes longer than to run it.
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
