"""Replay audits of any kind of run: the request to graders, and their answer.

They are played when no games wait, and write their own row alone: no grade depends on them.
"""

import logging
import secrets
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, Generic, TypeVar
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from grader.audit import AuditedGame, AuditReport, AuditRequest, Conclusion
from grader.core.errors import RecordError
from grader.core.records import AgentLimits, AgentRef, to_json
from webapp.base.storable import storable
from webapp.grading.evaluations.models import (
    AuditRun,
    AuditStatus,
)
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs.adding import add_jobs
from webapp.grading.jobs.models import Job, JobQuerySet, JobStatus, Requester, Sending
from webapp.grading.jobs.owners import JobOwner, registered
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.sending import give_up, postpone
from webapp.teaching.courses.models import Team

logger = logging.getLogger(__name__)
A = TypeVar("A", bound=AuditRun)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    agent: AgentRef
    limits: AgentLimits
    seats: tuple[int, ...] = ()
    """The agent's seats, in games that do not name them."""
    games: tuple[AuditedGame, ...]
    game_version: str


class AuditJobs(JobOwner[A], Generic[A]):
    """The jobs of audits of one kind of run: the whole sample, once for each attempt."""

    model: ClassVar[type[AuditRun]]
    is_lost_as_failed = True  # an answer names its attempt: after a loss it must be another

    @abstractmethod
    def course_of(self, audit: A) -> int:
        """Return the key of the course for which it is played."""

    @abstractmethod
    def team_of(self, audit: A) -> Team:
        """Return the team whose agent it is."""

    @abstractmethod
    def name_of(self, audit: A) -> str:
        """Return its name in the audit log."""

    @abstractmethod
    def audited(self, audit: A) -> Audited:
        """Return the agent and the sample."""

    @abstractmethod
    def games_by_grader(self, audit: A) -> Counter[str]:
        """Count the games by the public key of the grader that claimed them."""

    def add(self, audits: Iterable[A], sending: Sending) -> None:
        """Add a job for each of these audits, which are of one course."""
        rows = list(audits)
        jobs = [
            Job(
                **{self.field: audit},
                queue=Queue.AUDITS,
                n_games=audit.n_games,
                seconds=seconds_for(audit),
                **sending.columns,
            )
            for audit in rows
        ]
        if rows:
            add_jobs(jobs, by=Requester(course=self.course_of(rows[0])))

    def request_of(self, job: Job) -> AuditRequest:
        return self.request_for(self.row_of(job), attempt=job.attempt, at=timezone.now())

    def request_for(self, audit: A, *, attempt: int, at: datetime) -> AuditRequest:
        """Return the request. Only its attempt and ``not_by`` differ from time to time."""
        audited = self.audited(audit)
        return AuditRequest(
            audit=f"{audit.uuid}/{attempt}",
            agent=audited.agent,
            seats=audited.seats,
            limits=audited.limits,
            games=audited.games,
            seed=audit.seed,
            seconds=seconds_for(audit),
            not_by=self._to_decline(audit, at),
            game_version=audited.game_version or msgspec.UNSET,
        )

    def _to_decline(self, audit: A, at: datetime) -> tuple[str, ...]:
        """Return the public keys of graders that must decline: those that played these games.

        If every admitted grader played some, the one with the fewest games need not decline. After
        SAME_GRADER_AFTER none must: an admitted grader need not be running.
        """
        games = self.games_by_grader(audit)
        admitted = set(GraderKey.objects.admitted().values_list("public_key", flat=True))
        if len(admitted) < 2 or at - audit.created_at > SAME_GRADER_AFTER:
            return ()
        others = admitted - set(games)
        spared = others or {min(sorted(admitted), key=lambda key: games[key])}
        return tuple(sorted(set(games) - spared))

    def slack_seconds(self, job: Job) -> float:
        return 2 * seconds_for(self.row_of(job))

    def takes_results(self, row: A) -> bool:
        return row.is_open

    def missing_games(self, job: Job) -> int:
        """Count all games: an answer is whole, and closes the job."""
        return job.n_games

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Do nothing: no grade waits for an audit."""

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        audit = self.row_of(job)
        self.model._default_manager.filter(pk=audit.pk).update(system_fault=reason)
        self.add([audit], replace(sending, pause=PAUSE))

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        self.row_of(job).advance(AuditStatus.FAILED, finished_at=at, system_fault=reason)


def _kinds() -> list[AuditJobs[Any]]:
    return registered(AuditJobs)  # type: ignore[type-abstract]  # looked for, not made


def audit_jobs_of(audit: AuditRun) -> AuditJobs[Any]:
    """Return the owner of an audit's jobs."""
    return next(owner for owner in _kinds() if owner.model is type(audit))


def new_seed() -> int:
    """Draw the seed of a sample."""
    return secrets.randbits(SEED_BITS)


def seconds_for(audit: AuditRun) -> float:
    """Return the wall time, in seconds, after which a grader begins no further run."""
    return FIXED_SECONDS + SECONDS_PER_GAME * audit.n_games


def tally(jobs: JobQuerySet) -> Counter[str]:
    """Count these jobs' games by the public key of the grader that claimed them. One query."""
    games: Counter[str] = Counter()
    for key, n_games in jobs.exclude(claimed_by="").values_list("claimed_by", "n_games"):
        games[key] += n_games
    return games


# --- Answers ------------------------------------------------------------------------------------


@transaction.atomic
def record_audit(report: AuditReport, *, key: str | None, at: datetime | None = None) -> None:
    """Record an answer of the grader with this public key; ``None``: the answer is trusted.

    Late, repeated and unknown answers change nothing; one to an earlier attempt is as good.
    Raises RecordError for an answer to another request, or about a seat that was not in it.
    """
    now = at or timezone.now()
    uuid, attempt = _id(report)
    audit = _waiting(uuid)
    if audit is None:
        logger.info("no audit waits for this report: %s", report.audit)
        return
    request = audit_jobs_of(audit).request_for(audit, attempt=attempt, at=now)
    request = replace(request, audit=report.audit)
    if key is not None:
        _require_answer(report, request)
    job = audit.jobs.filter(attempt=attempt).first()
    text = to_json(report)
    if report.declined or key in request.not_by:
        if job is not None:
            postpone(job, pause=DECLINED_PAUSE, at=now)
    elif report.system_fault or len(text) > MAX_REPORT_BYTES:
        if job is not None:
            reason = report.system_fault or f"The report has {len(text)} characters."
            give_up(job, reason=storable(reason, characters=5000), at=now, lost=False)
    else:
        _check(request, report)
        _finish(audit, report, text, key=key or "", job=job, at=now)


def _waiting(uuid: UUID) -> Any:
    for owner in _kinds():
        rows = owner.model._default_manager.select_for_update(of=("self",))
        if audit := rows.filter(uuid=uuid, status=AuditStatus.QUEUED).first():
            return audit
    return None


def _finish(
    audit: Any, report: AuditReport, text: str, *, key: str, job: Job | None, at: datetime
) -> None:
    if job is not None:
        job.advance(JobStatus.FINISHED, claimed_by=key, lease_until=at)
    audit.jobs.cancel()
    flags = sum(seat.conclusion is Conclusion.DIFFERS for seat in report.seats)
    audit.advance(
        AuditStatus.FINISHED, finished_at=at, report_json=text, flags=flags, claimed_by=key
    )


def _id(report: AuditReport) -> tuple[UUID, int]:
    try:
        uuid, _, attempt = report.audit.partition("/")
        return UUID(uuid), int(attempt)
    except ValueError as error:
        raise RecordError(f"an audit's report with a malformed id: {error}") from error


def _require_answer(report: AuditReport, request: AuditRequest) -> None:
    """Check that a report answers for each seat, unless it declines or failed."""
    if report.request != request.digest():
        raise RecordError(f"audit {report.audit} answers another request than was sent")
    seats = [(game.index, seat) for game in request.games for seat in request.seats_of(game)]
    answered = [(seat.index, seat.seat) for seat in report.seats]
    if answered != ([] if report.declined or report.system_fault else seats):
        raise RecordError(f"audit {report.audit} does not answer for every seat of its games")


def _check(request: AuditRequest, report: AuditReport) -> None:
    asked = {(game.index, seat) for game in request.games for seat in request.seats_of(game)}
    for seat in report.seats:
        if (seat.index, seat.seat) not in asked:
            raise RecordError(f"game {seat.index}, seat {seat.seat} was not to be audited")
