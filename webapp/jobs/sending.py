"""The sending of jobs. Their rows come first: the queue is only a hint."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from kombu import Producer

from webapp.jobs import broker
from webapp.jobs.models import MAX_ATTEMPTS, MAX_LOSSES, Job, JobQuerySet, JobStatus, Sending
from webapp.jobs.owners import owner_of

__all__ = ["add_jobs", "give_up", "next_try", "postpone", "send_due"]

logger = logging.getLogger(__name__)

_PAUSES: Final = {1: timedelta(seconds=10), 2: timedelta(seconds=60)}
"""The wait after a SystemFault, by attempt. A host's trouble, such as a Docker that restarts, fails
every job at once, and would otherwise use up all attempts within a second."""


def add_jobs(jobs: Iterable[Job]) -> None:
    """Insert these jobs. They are sent when the transaction is committed, or ``send_after``."""
    keys = [job.pk for job in Job.objects.bulk_create(jobs)]
    transaction.on_commit(partial(_send_added, keys), robust=True)


def _send_added(keys: list[int]) -> None:
    send_due(Job.objects.filter(pk__in=keys))


def send_due(jobs: JobQuerySet, *, at: datetime | None = None) -> int:
    """Send the due ones of these jobs; return how many went out.

    Gives up at the first refusal of the broker, within seconds: the periodic task tries again.
    """
    waiting = list(jobs.due(at or timezone.now()).with_owners().order_by("pk"))
    sent = 0
    try:
        if waiting:
            with broker.producer() as producer:
                for job in waiting:
                    sent += _send(job, producer)
    except broker.BrokerError as error:
        logger.warning("the broker takes no jobs now, %d wait: %s", len(waiting) - sent, error)
    return sent


def _send(job: Job, producer: Producer) -> bool:
    """Mark the job as sent, then publish it; return whether this call did.

    The mark comes first, and is taken back if the broker refuses: a job that was marked and never
    published is found missing from its queue.
    """
    if not Job.objects.filter(pk=job.pk, sent_at__isnull=True).update(sent_at=timezone.now()):
        return False
    try:
        request = owner_of(job).request_of(job)
        broker.publish(request, queue=job.queue, producer=producer)
    except broker.BrokerError:
        Job.objects.filter(pk=job.pk).update(sent_at=None)
        raise
    return True


def postpone(job: Job, *, until: datetime) -> None:
    """Send a job again as it is: the grader that took it has declined."""
    mine = Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED)
    mine.update(sent_at=None, lease_until=None, send_after=until)


def next_try(job: Job, *, left: int, lost: bool) -> tuple[int, int] | None:
    """Return attempt and losses with which the rest of a job is sent; ``None``: it has failed.

    A job that brought some games is no failed attempt, so that long ones get through on shaky
    graders. Nor is one that got ``lost`` with its grader or the broker.
    """
    if left < job.n_games:
        return 1, 0
    if lost and job.losses < MAX_LOSSES:
        return job.attempt, job.losses + 1
    if not lost and job.attempt < MAX_ATTEMPTS:
        return job.attempt + 1, job.losses
    return None


def give_up(job: Job, *, reason: str, at: datetime, lost: bool) -> None:
    """Close a failed or lost job; its owner sends the rest again, with a pause if something broke.

    Only the caller that wins the job's transition acts: a failure reported twice counts once.
    """
    if not job.advance(JobStatus.FAILED, system_fault=reason, lease_until=job.lease_until or at):
        return
    logger.warning("job %s, attempt %d: %s", job.uuid, job.attempt, reason)
    owner = owner_of(job)
    wait = timedelta() if lost else _PAUSES.get(job.attempt, timedelta())
    lost = lost and not owner.is_lost_as_failed
    follows = next_try(job, left=owner.missing_games(job), lost=lost)
    if follows is None:
        owner.fail(job, reason=reason, at=at)
        return
    attempt, losses = follows
    sending = Sending(at=at, send_after=at + wait, attempt=attempt, losses=losses, is_retry=True)
    owner.send_again(job, sending, reason=reason)
