"""Looking after batches that nobody hears of: the periodic task's work.

A batch may wait in its queue as long as it has to: that alone must not multiply it. But a queue can
lose it (a broker that is killed) and a worker can die with it. So we count what the broker still
holds. Batches leave a queue in the order in which they were sent: if 7 of ours are sent and not yet
heard of, and the queue holds 5, the oldest 2 are with a worker, or lost. Those get a lease, as does
every batch that has been reported of; when a lease runs out, the missing games are sent again.

Batches whose evaluation was cancelled, or finished without them, lie in the queue as well. They are
counted with the others, and graders are told to pass over them: a hint, repeated with every look.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from webapp.evaluations.models import Batch, BatchStatus, Evaluation, Kind
from webapp.evaluations.models.batch import BatchQuerySet
from webapp.evaluations.services import askers
from webapp.evaluations.services.batches import lease, missing, send_unsent
from webapp.evaluations.services.finishing import OnFinish, finish_if_complete
from webapp.evaluations.services.recording import give_up
from webapp.jobs import broker

logger = logging.getLogger(__name__)

OWN_COMMIT: Final = timedelta(seconds=5)
"""So long a new batch is left to the process that made it."""


def resend_expired_batches(*, then: OnFinish, at: datetime | None = None) -> int:
    """Send what was never sent, and again what was lost; how many batches expired.

    Does nothing while the broker is away: without it no report could have come in either.
    """
    now = at or timezone.now()
    try:
        for kind in Kind:
            broker.withdraw(notice_taken(kind, waiting=broker.waiting(kind.value), at=now))
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)
        return 0
    expired = expire_leases(at=now, then=then)
    send_unsent(before=now - OWN_COMMIT, at=now)
    return expired


@transaction.atomic
def notice_taken(kind: Kind, *, waiting: int, at: datetime) -> list[str]:
    """Start the leases of batches that a queue with ``waiting`` messages can no longer hold.

    And take back leases that were given too early: a message that was on its way when it was
    counted. Returns the names of those that the queue still holds and nobody needs any more.
    """
    sent = Batch.objects.unheard().in_queue(kind)
    unheard = list(sent.select_related("evaluation", "tournament"))
    taken = max(0, len(unheard) - waiting)
    for batch in unheard[:taken]:
        if batch.is_open and batch.lease_until is None:
            _still_silent(batch).update(lease_until=at + _lease(batch))
    gone = [batch.pk for batch in unheard[:taken] if not batch.is_open]
    Batch.objects.filter(pk__in=gone).update(lease_until=at)
    for batch in unheard[taken:]:
        if batch.lease_until is not None:
            _still_silent(batch).update(lease_until=None)
    return [str(batch.uuid) for batch in unheard[taken:] if not batch.is_open]


def expire_leases(*, at: datetime, then: OnFinish) -> int:
    """Send the missing games of every batch whose lease has run out again; how many there were."""
    late = Batch.objects.open().of_open().filter(lease_until__lt=at)
    return sum(_expire_one(batch, at, then) for batch in list(late))


def _lease(batch: Batch) -> timedelta:
    asker = askers.of(batch)
    return lease(batch.asked_evaluation, batch) if asker is None else asker.lease(batch)


def _expire_one(batch: Batch, at: datetime, then: OnFinish) -> bool:
    if asker := askers.of(batch):
        return asker.expire(batch, at=at)
    return batch.evaluation_id is not None and _expire(batch.pk, batch.evaluation_id, at, then)


@transaction.atomic
def _expire(batch_id: int, evaluation_id: int, at: datetime, then: OnFinish) -> bool:
    """One batch, under its evaluation's lock; False if a report came in between."""
    evaluation = Evaluation.objects.select_for_update(no_key=True).get(pk=evaluation_id)
    batch = Batch.objects.open().filter(pk=batch_id, lease_until__lt=at).first()
    if batch is None or not evaluation.is_open:
        return False
    if left := missing(evaluation, batch.indices):
        reason = (
            f"No word of {len(left)} of its {batch.n_games} games: the grader or the broker died."
        )
        give_up(evaluation, batch, left, reason=reason, at=at)
    else:
        batch.advance(BatchStatus.FINISHED)
        if finish_if_complete(evaluation, at=at):
            then(evaluation, at)
    return True


def _still_silent(batch: Batch) -> BatchQuerySet:
    return Batch.objects.filter(pk=batch.pk, status=BatchStatus.QUEUED)
