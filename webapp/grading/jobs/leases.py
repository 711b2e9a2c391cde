"""Finding lost jobs: the work of the periodic task.

If 7 of our jobs are sent and unreported, and the queue holds 5, the oldest 2 are with a worker, or
lost. Those get a lease, as does every reported job; when it runs out, the missing games are sent
again. It does not run out while a worker, killed or not, holds reports that came before the look.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from grader.core.errors import GraderError
from webapp.base.celery import RESULTS_QUEUE
from webapp.grading.jobs import broker
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.jobs.holds import all_dealt_with
from webapp.grading.jobs.models import Job, JobQuerySet, JobStatus
from webapp.grading.jobs.owners import owner_of
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.releasing import release
from webapp.grading.jobs.sending import give_up

_MAX_DOUBLINGS: Final = 4
_USED_SHARE: Final = 0.1
"""The part of a lease that runs out before it is renewed: reports come every second."""


logger = logging.getLogger(__name__)


def lease(job: Job) -> timedelta:
    """Return how long a job may be silent: doubled, up to sixteen times, by attempts and losses."""
    seconds = settings.LEASE_SECONDS + _slack_seconds(job)
    return timedelta(seconds=seconds * 2 ** min(job.attempt - 1 + job.losses, _MAX_DOUBLINGS))


def _slack_seconds(job: Job) -> float:
    try:
        return owner_of(job).slack_seconds(job)
    except GraderError as error:
        logger.warning("the lease of job %s has no slack: %s", job.uuid, error)
        return 0.0


def renew(jobs: Iterable[Job], *, at: datetime) -> None:
    """Renew the leases of jobs that are played. One query for each that has used a tenth."""
    for job in jobs:
        whole = lease(job)
        used = at + whole * (1 - _USED_SHARE)
        if job.lease_until is None or not used < job.lease_until <= at + whole:
            Job.objects.open().filter(pk=job.pk).update(lease_until=at + whole)


def resend_lost_jobs(*, at: datetime | None = None) -> int:
    """Send unsent jobs, and lost ones again; return how many jobs expired.

    Nothing while the broker is away: without it no report could have come in either.
    """
    now = at or timezone.now()
    try:
        for queue in Queue:  # practice was sent to one of its own before
            broker.withdraw(notice_taken(queue, waiting=broker.waiting(queue), at=now))
        is_all_recorded = all_dealt_with(RESULTS_QUEUE)
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)
        return 0
    shorten_leases(at=now)
    expired = expire_leases(at=now) if is_all_recorded else 0
    release(at=now)
    return expired


# See webapp/decisions/leases.md
def notice_taken(queue: Queue, *, waiting: int, at: datetime) -> list[str]:
    """Start the leases of jobs that a queue with ``waiting`` messages can no longer hold.

    Take back leases that were given to messages in transit. Return the names of the jobs that the
    queue still holds and nobody needs. In no transaction: others change several jobs at once, in
    another order.
    """
    unheard = list(Job.objects.filter(sent_to=queue).unheard().with_owners())
    taken = max(0, len(unheard) - waiting)
    for job in unheard[:taken]:
        if job.is_open and job.lease_until is None:
            _still_silent(job).update(lease_until=at + lease(job))
    gone = [job.pk for job in unheard[:taken] if not job.is_open]
    Job.objects.filter(pk__in=gone).update(lease_until=at)
    for job in unheard[taken:]:
        if job.lease_until is not None:
            _still_silent(job).update(lease_until=None)
    return [str(job.uuid) for job in unheard[taken:] if not job.is_open]


def shorten_leases(*, at: datetime) -> None:
    """Shorten leases that end later than any given now: a clock was fast."""
    seconds = timedelta(seconds=settings.LEASE_SECONDS)
    for job in Job.objects.open().filter(lease_until__gt=at + seconds).with_owners():
        longest = at + lease(job)
        Job.objects.open().filter(pk=job.pk, lease_until__gt=longest).update(lease_until=longest)


def expire_leases(*, at: datetime) -> int:
    """Send the rest of every job again whose lease has run out; return how many there were."""
    expired = 0
    for job in list(Job.objects.open().filter(lease_until__lt=at)):
        with errors_logged("job %s cannot be sent again", job.uuid):
            expired += _expire(job, at)
    return expired


@transaction.atomic
def _expire(job: Job, at: datetime) -> bool:
    """Expire one job under its owner's lock; return False if a report came in between."""
    owner = owner_of(job)
    owner.lock(job)
    late = Job.objects.open().filter(pk=job.pk, lease_until__lt=at)
    if not job.owner.is_open or not late.exists():
        return False
    if missing := owner.missing_games(job):
        games = f"{missing} of its {job.n_games} games"
        reason = f"No report of {games}: the grader or the broker failed."
        give_up(job, reason=reason, at=at, lost=True)
        closed = True
    else:
        closed = job.advance(JobStatus.FINISHED)
    owner.go_on(job, closed=closed, at=at)
    return True


def _still_silent(job: Job) -> JobQuerySet:
    return Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED)
