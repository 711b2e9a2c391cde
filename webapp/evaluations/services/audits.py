"""Replay audits: requested when a graded evaluation has finished, played when no games wait.

An audit reads an evaluation's games and writes its own row, nothing else: no figure, verdict or
grade depends on it, and none waits for it.
"""

import logging
import secrets
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from grader.audit import AuditedGame, AuditReport, AuditRequest, Conclusion, sample
from grader.core.errors import RecordError
from grader.core.records import Mode, Record, to_json
from grader.results.evaluation import EvaluationSpec, game_setup
from webapp.evaluations.models import STOPPED, Audit, AuditStatus, Evaluation, GameResult, Kind
from webapp.graders.models import GraderKey
from webapp.jobs.adding import add_jobs
from webapp.jobs.models import Job, JobStatus, Requester, Sending
from webapp.jobs.owners import JobOwner
from webapp.jobs.queues import Queue
from webapp.jobs.sending import give_up, postpone
from webapp.storable import storable

__all__ = ["AuditJobs", "games_by_grader", "record_audit", "request_audit"]

logger = logging.getLogger(__name__)

FIXED_SECONDS: Final = 30.0
SECONDS_PER_GAME: Final = 12.0
"""Wall time that a grader may spend on an audit: a fixed part, and a part for each game."""
PAUSE: Final = timedelta(seconds=60)
"""The wait for the next attempt after a SystemFault."""
DECLINED_PAUSE: Final = timedelta(seconds=20)
"""The wait for the next request after a grader declined."""
SAME_GRADER_AFTER: Final = timedelta(minutes=30)
"""The age of an audit from which the grader that played the games may replay them too."""
MAX_REPORT_BYTES: Final = 1 << 20
SEED_BITS: Final = 53


def request_audit(*, evaluation: Evaluation, at: datetime) -> Audit | None:
    """Request an audit of a sample of a finished evaluation's games; ``None`` if it needs none.

    Only graded games of submissions are audited: house agents are ours, and other games count
    nowhere. Seats that share a process need no channel. An agent among opponents has no partner to
    signal to; but a record that it does not play again may not be its own.
    """
    if evaluation.kind != Kind.GRADED or evaluation.submission_id is None:
        return None
    if evaluation.mode is Mode.TEAM:
        return None
    n_games = min(evaluation.assignment.audited_games, _auditable(evaluation).count())
    if not n_games:
        return None
    seed = secrets.randbits(SEED_BITS)
    audit, is_new = Audit.objects.get_or_create(
        evaluation=evaluation, defaults={"n_games": n_games, "seed": seed, "created_at": at}
    )
    if is_new:
        _add_job(audit, Sending(at=at))
    return audit


def _add_job(audit: Audit, sending: Sending) -> None:
    job = Job(
        audit=audit,
        queue=Queue.AUDITS,
        n_games=audit.n_games,
        seconds=seconds_for(audit),
        **sending.columns,
    )
    add_jobs([job], by=Requester(course=audit.evaluation.assignment.course_id))


class AuditJobs(JobOwner[Audit]):
    """The jobs of audits: the whole sample, once for each attempt."""

    field = "audit"
    is_lost_as_failed = True  # an answer names its attempt: after a loss it must be another

    def request_of(self, job: Job) -> AuditRequest:
        """Make the request: the sample, the program, and who has to decline."""
        return request_of(self.row_of(job), attempt=job.attempt, at=timezone.now())

    def slack_seconds(self, job: Job) -> float:
        """Return twice the time that the grader may spend."""
        return 2 * seconds_for(self.row_of(job))

    def takes_results(self, row: Audit) -> bool:
        """Return whether its answer has not come."""
        return row.is_open

    def missing_games(self, job: Job) -> int:
        """Count all of them: an answer is whole, and closes the job."""
        return job.n_games

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Do nothing: no grade waits for an audit."""

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        """Send the sample again, after a longer pause."""
        audit = self.row_of(job)
        Audit.objects.filter(pk=audit.pk).update(system_fault=reason)
        _add_job(audit, replace(sending, send_after=sending.at + PAUSE))

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        """Fail the audit."""
        self.row_of(job).advance(AuditStatus.FAILED, finished_at=at, system_fault=reason)


def request_of(audit: Audit, *, attempt: int, at: datetime) -> AuditRequest:
    """Return the request for a grader. Only its attempt and ``not_by`` differ from time to time."""
    evaluation = audit.evaluation
    spec = evaluation.parsed_spec
    played = _auditable(evaluation)
    chosen = sample(played.values_list("index", flat=True), games=audit.n_games, seed=audit.seed)
    rows = played.filter(index__in=chosen).order_by("index")
    records = [(row.index, row.record) for row in rows]
    return AuditRequest(
        audit=f"{audit.uuid}/{attempt}",
        agent=evaluation.agent,
        seats=tuple(seat for seat, agent in enumerate(spec.seating) if agent == 0),
        limits=spec.limits,
        games=tuple(_audited(spec, index, record) for index, record in records if record),
        seed=audit.seed,
        seconds=seconds_for(audit),
        not_by=_to_decline(audit, at),
    )


def _audited(spec: EvaluationSpec, index: int, record: Record) -> AuditedGame:
    """Return a game with the agent's seats, which against opponents differ from game to game."""
    if not spec.opponents:
        return AuditedGame(index=index, record=record)
    return AuditedGame(index=index, record=record, seats=seats_in(spec, index))


def seats_in(spec: EvaluationSpec, index: int) -> tuple[int, ...]:
    """Return the seats of the evaluated agent in a game."""
    seating = game_setup(spec, index).seating
    return tuple(seat for seat, agent in enumerate(seating) if agent == 0)


def _to_decline(audit: Audit, at: datetime) -> tuple[str, ...]:
    """Return the public keys of graders that must decline: those that played these games.

    If every admitted grader played some, the one with the fewest games need not decline. After
    SAME_GRADER_AFTER none must: an admitted grader need not be running.
    """
    games = games_by_grader(audit.evaluation)
    admitted = set(GraderKey.objects.admitted().values_list("public_key", flat=True))
    if len(admitted) < 2 or at - audit.created_at > SAME_GRADER_AFTER:
        return ()
    others = admitted - set(games)
    spared = others or {min(sorted(admitted), key=lambda key: games[key])}
    return tuple(sorted(set(games) - spared))


def games_by_grader(evaluation: Evaluation) -> Counter[str]:
    """Count an evaluation's games by the public key of the grader that claimed them. One query."""
    games: Counter[str] = Counter()
    jobs = evaluation.jobs.exclude(claimed_by="")
    for key, n_games in jobs.values_list("claimed_by", "n_games"):
        games[key] += n_games
    return games


def _auditable(evaluation: Evaluation) -> "models.QuerySet[GameResult]":
    """Return the games that have a turn and were not stopped."""
    return evaluation.results.exclude(ending=STOPPED).filter(turns__gt=0)


def seconds_for(audit: Audit) -> float:
    """Return the wall time, in seconds, after which a grader begins no further run."""
    return FIXED_SECONDS + SECONDS_PER_GAME * audit.n_games


@transaction.atomic
def record_audit(report: AuditReport, *, key: str | None, at: datetime | None = None) -> None:
    """Record an answer of the grader with this public key; ``None``: the answer is trusted.

    Late, repeated and unknown answers change nothing; one to an earlier attempt is as good.
    Raises RecordError for an answer to another request, or about a seat that was not in it.
    """
    now = at or timezone.now()
    uuid, attempt = _id(report)
    audit = Audit.objects.select_for_update().filter(uuid=uuid, status=AuditStatus.QUEUED).first()
    if audit is None:
        logger.info("no audit waits for this report: %s", report.audit)
        return
    request = replace(request_of(audit, attempt=attempt, at=now), audit=report.audit)
    if key is not None:
        _require_answer(report, request)
    job = audit.jobs.filter(attempt=attempt).first()
    text = to_json(report)
    if report.declined or key in request.not_by:
        if job is not None:
            postpone(job, until=now + DECLINED_PAUSE)
    elif report.system_fault or len(text) > MAX_REPORT_BYTES:
        if job is not None:
            reason = report.system_fault or f"The report has {len(text)} characters."
            give_up(job, reason=storable(reason, characters=5000), at=now, lost=False)
    else:
        _check(audit, report)
        _finish(audit, report, text, key=key or "", job=job, at=now)


def _finish(
    audit: Audit, report: AuditReport, text: str, *, key: str, job: Job | None, at: datetime
) -> None:
    if job is not None:
        job.advance(JobStatus.FINISHED, claimed_by=key, lease_until=at)
    audit.jobs.cancel()
    flags = sum(seat.conclusion is Conclusion.DIFFERS for seat in report.seats)
    audit.advance(
        AuditStatus.FINISHED, finished_at=at, report_json=text, flags=flags, claimed_by=key
    )


def _id(report: AuditReport) -> tuple[UUID, int]:
    """Return the audit that a report answers, and the number of the attempt. Raises RecordError."""
    try:
        uuid, _, attempt = report.audit.partition("/")
        return UUID(uuid), int(attempt)
    except ValueError as error:
        raise RecordError(f"an audit's report with a malformed id: {error}") from error


def _require_answer(report: AuditReport, request: AuditRequest) -> None:
    """Check that a report answers this request, and for each seat of each game. Raises RecordError.

    A refusal and a failure answer for none.
    """
    if report.request != request.digest():
        raise RecordError(f"audit {report.audit} answers another request than was sent")
    seats = [(game.index, seat) for game in request.games for seat in request.seats_of(game)]
    answered = [(seat.index, seat.seat) for seat in report.seats]
    if answered != ([] if report.declined or report.system_fault else seats):
        raise RecordError(f"audit {report.audit} does not answer for every seat of its games")


def _check(audit: Audit, report: AuditReport) -> None:
    spec = audit.evaluation.parsed_spec
    for seat in report.seats:
        ours = 0 <= seat.index < audit.evaluation.n_games
        if not ours or seat.seat not in seats_in(spec, seat.index):
            raise RecordError(f"game {seat.index}, seat {seat.seat} was not to be audited")
