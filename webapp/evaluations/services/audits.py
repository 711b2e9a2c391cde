"""Replay audits: requested when a graded evaluation has finished, played when no games wait.

An audit reads an evaluation's games and writes its own row, nothing else: no figure, verdict or
grade depends on it, and none waits for it. Sent, lost and sent again as batches are (``leases``).
"""

import logging
import secrets
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from kombu import Producer

from grader.audit import AuditedGame, AuditReport, AuditRequest, Conclusion, sample
from grader.core.errors import RecordError
from grader.core.records import Mode, to_json
from webapp.evaluations.models import STOPPED, Audit, AuditStatus, Evaluation, GameResult, Kind
from webapp.evaluations.models.audit import AuditQuerySet
from webapp.evaluations.models.batch import MAX_ATTEMPTS
from webapp.graders.models import GraderKey
from webapp.jobs import broker
from webapp.jobs.queues import Queue
from webapp.storable import storable

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
    nowhere. Seats that share a process need no channel, and an agent among opponents has no
    partner to signal to.
    """
    if evaluation.kind != Kind.GRADED or evaluation.submission_id is None:
        return None
    if evaluation.mode is Mode.TEAM or evaluation.opponents:
        return None
    n_games = min(evaluation.assignment.audited_games, _auditable(evaluation).count())
    if not n_games:
        return None
    audit, _ = Audit.objects.get_or_create(
        evaluation=evaluation,
        defaults={
            "n_games": n_games,
            "seed": secrets.randbits(SEED_BITS),
            "created_at": at,
        },
    )
    transaction.on_commit(partial(send_audits, audit_id=audit.pk), robust=True)
    return audit


def request_of(audit: Audit, *, at: datetime | None = None) -> AuditRequest:
    """Return the request for a grader. Only its attempt and ``not_by`` differ from time to time."""
    evaluation = audit.evaluation
    spec = evaluation.parsed_spec
    played = _auditable(evaluation)
    chosen = sample(played.values_list("index", flat=True), games=audit.n_games, seed=audit.seed)
    rows = played.filter(index__in=chosen).order_by("index")
    records = [(row.index, row.record) for row in rows]
    return AuditRequest(
        audit=f"{audit.uuid}/{audit.attempt}",
        agent=evaluation.agent,
        seats=tuple(seat for seat, agent in enumerate(spec.seating) if agent == 0),
        limits=spec.limits,
        games=tuple(AuditedGame(index=index, record=record) for index, record in records if record),
        seed=audit.seed,
        seconds=seconds_for(audit),
        not_by=_to_decline(audit, at or timezone.now()),
    )


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
    batches = evaluation.batches.exclude(claimed_by="")
    for key, n_games in batches.values_list("claimed_by", "n_games"):
        games[key] += n_games
    return games


def _auditable(evaluation: Evaluation) -> "models.QuerySet[GameResult]":
    """Return the games that have a turn and were not stopped."""
    return evaluation.results.exclude(ending=STOPPED).filter(turns__gt=0)


def seconds_for(audit: Audit) -> float:
    """Return the wall time, in seconds, after which a grader begins no further run."""
    return FIXED_SECONDS + SECONDS_PER_GAME * audit.n_games


def lease(audit: Audit) -> timedelta:
    """Return how long an audit may be silent after it left its queue; doubled by each attempt."""
    seconds = settings.LEASE_SECONDS + 2 * seconds_for(audit)
    return timedelta(seconds=seconds * 2 ** (audit.attempt - 1))


@transaction.atomic
def record_audit(report: AuditReport, *, key: str = "", at: datetime | None = None) -> None:
    """Record an answer of the grader with this public key.

    Late, repeated and unknown answers change nothing. An answer without a key is trusted. Raises
    RecordError for an answer to another request, or about a seat that was not in it.
    """
    now = at or timezone.now()
    uuid, attempt = _id(report)
    audit = Audit.objects.select_for_update().filter(uuid=uuid, status=AuditStatus.QUEUED).first()
    if audit is None:
        logger.info("nobody waits for this report of audit %s", report.audit)
        return
    request = replace(request_of(audit, at=now), audit=report.audit)
    if key:
        _require_answer(report, request)
    if report.declined or key in request.not_by:
        if attempt == audit.attempt:
            _queued(audit).update(sent_at=None, lease_until=None, send_after=now + DECLINED_PAUSE)
        return
    text = to_json(report)
    if report.system_fault or len(text) > MAX_REPORT_BYTES:
        if attempt != audit.attempt:
            return
        reason = report.system_fault or f"The report has {len(text)} characters."
        _give_up(audit, reason=storable(reason, characters=5000), at=now)
        return
    _check(audit, report)
    flags = sum(seat.conclusion is Conclusion.DIFFERS for seat in report.seats)
    audit.advance(
        AuditStatus.FINISHED, finished_at=now, report_json=text, flags=flags, claimed_by=key
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
    seats = [(game.index, seat) for game in request.games for seat in request.seats]
    answered = [(seat.index, seat.seat) for seat in report.seats]
    if answered != ([] if report.declined or report.system_fault else seats):
        raise RecordError(f"audit {report.audit} does not answer for every seat of its games")


def _check(audit: Audit, report: AuditReport) -> None:
    seating = audit.evaluation.parsed_spec.seating
    for seat in report.seats:
        ours = 0 <= seat.index < audit.evaluation.n_games and 0 <= seat.seat < len(seating)
        if not ours or seating[seat.seat] != 0:
            raise RecordError(f"game {seat.index}, seat {seat.seat} was not to be audited")


def send_audits(
    *, audit_id: int | None = None, before: datetime | None = None, at: datetime | None = None
) -> int:
    """Send what is due, one audit or all, or all made ``before``; how many went out.

    Gives up at the first refusal of the broker: the periodic task tries again.
    """
    audits = Audit.objects.due(at or timezone.now())
    if audit_id is not None:
        audits = audits.filter(pk=audit_id)
    if before is not None:
        audits = audits.filter(created_at__lte=before)
    waiting = list(audits.select_related("evaluation__assignment").order_by("pk"))
    sent = 0
    try:
        if waiting:
            with broker.producer() as producer:
                for audit in waiting:
                    sent += _send(audit, producer)
    except broker.BrokerError as error:
        logger.warning("the broker takes no audits now: %s", error)
    return sent


def _send(audit: Audit, producer: Producer) -> bool:
    """Claim the audit, publish it; whether it was us."""
    if not Audit.objects.filter(pk=audit.pk, sent_at__isnull=True).update(sent_at=timezone.now()):
        return False
    try:
        broker.publish_audit(request_of(audit), producer=producer)
    except broker.BrokerError:
        _queued(audit).update(sent_at=None)
        raise
    return True


def resend_expired_audits(*, at: datetime | None = None) -> int:
    """Send what was never sent, and again what was lost; how many audits expired.

    The same reasoning as with batches: what the queue no longer holds is with a worker, or lost.
    """
    now = at or timezone.now()
    try:
        if Audit.objects.sent().exists():
            notice_taken(waiting=broker.waiting(Queue.AUDITS), at=now)
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)
        return 0
    expired = expire_leases(at=now)
    send_audits(before=now - timedelta(seconds=5), at=now)
    return expired


@transaction.atomic
def notice_taken(*, waiting: int, at: datetime) -> None:
    """Start the leases of audits that the queue can no longer hold; take back those too early."""
    sent = list(Audit.objects.sent())
    taken = max(0, len(sent) - waiting)
    for place, audit in enumerate(sent):
        if place < taken and audit.lease_until is None:
            _queued(audit).update(lease_until=at + lease(audit))
        elif place >= taken and audit.lease_until is not None:
            _queued(audit).update(lease_until=None)


@transaction.atomic
def expire_leases(*, at: datetime) -> int:
    """Give up every attempt whose lease has run out; how many there were."""
    late = Audit.objects.select_for_update().filter(status=AuditStatus.QUEUED, lease_until__lt=at)
    expired = list(late)
    for audit in expired:
        _give_up(audit, reason="No word of it: the grader or the broker died.", at=at)
    return len(expired)


def _give_up(audit: Audit, *, reason: str, at: datetime) -> None:
    """Send an audit again after a pause, or fail it after the last attempt."""
    logger.warning("audit %s, attempt %d: %s", audit.uuid, audit.attempt, reason)
    if audit.attempt >= MAX_ATTEMPTS:
        audit.advance(AuditStatus.FAILED, finished_at=at, system_fault=reason)
        return
    _queued(audit).update(
        attempt=audit.attempt + 1,
        sent_at=None,
        lease_until=None,
        send_after=at + PAUSE,
        system_fault=reason,
    )


def _queued(audit: Audit) -> AuditQuerySet:
    return Audit.objects.filter(pk=audit.pk, status=AuditStatus.QUEUED)
