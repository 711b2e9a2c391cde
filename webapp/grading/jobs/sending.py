"""The sending of jobs. Their rows come first: the queue is only a hint."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from kombu import Producer

from grader.audit import AuditRequest
from grader.core.errors import GraderError
from grader.core.records import BatchRequest
from grader.interfaces import INTERFACES
from webapp.grading.graders.models import IS_PAUSED
from webapp.grading.jobs import broker, capacity
from webapp.grading.jobs.models import MAX_ATTEMPTS, MAX_LOSSES, Job, JobStatus, Sending, after
from webapp.grading.jobs.owners import Request, owner_of
from webapp.grading.jobs.queues import broker_queue

logger = logging.getLogger(__name__)

# See webapp/decisions/pause-after-system-fault.md
_PAUSES: Final = {1: timedelta(seconds=10), 2: timedelta(seconds=60)}
"""The wait after a SystemFault, by attempt. A problem of a host, such as a restart of Docker, fails
every job at once, and would otherwise use up all attempts within a second."""
_IMAGE_PAUSE: Final = timedelta(seconds=5)
"""The wait until graders are asked again for an image that none has yet, since it is being built,
or for a game."""


def send(jobs: Sequence[Job]) -> int:
    """Send these jobs in this order; return how many this call did. Raises BrokerError.

    Stops at the broker's first refusal; earlier jobs are sent.
    """
    missing = capacity.missing_images() if jobs else frozenset()
    with broker.producer() as producer:
        return sum([_send(job, producer, missing) for job in jobs])


def _send(job: Job, producer: Producer, missing: frozenset[str]) -> bool:
    """Mark the job as sent, then publish it; return whether this call did.

    A job that was marked and never published is found missing from its queue.
    """
    queue = broker_queue(job.queue)
    unsent = Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED, sent_at__isnull=True)
    if not unsent.filter(~IS_PAUSED).update(sent_at=timezone.now(), sent_to=queue):
        return False
    try:
        request = owner_of(job).request_of(job)
        if (missing and missing & _images(request)) or not _has_game(request):
            postpone(job, pause=_IMAGE_PAUSE, at=timezone.now())
            return False
        broker.publish(request, queue=queue, producer=producer)
    except broker.BrokerError:
        Job.objects.filter(pk=job.pk).update(sent_at=None, sent_to="")
        raise
    except GraderError:
        logger.exception("this version cannot make the request of job %s", job.uuid)
        return False
    return True


def _images(request: Request) -> frozenset[str]:
    agents = request.agents if isinstance(request, BatchRequest) else (request.agent,)
    known = ((INTERFACES.get(agent.interface), agent.options) for agent in agents)
    return frozenset().union(*(one.images_with(options) for one, options in known if one))


def _has_game(request: Request) -> bool:
    version = request.game_version
    if not version:
        return True
    if isinstance(request, AuditRequest):
        return not request.games or capacity.has_game(request.games[0].record.game, version)
    return capacity.has_game(request.game, version)


# See webapp/decisions/pausing-graders.md
def postpone(job: Job, *, pause: timedelta, at: datetime) -> None:
    """Send a job again, unchanged, after a pause: the grader that took it has declined."""
    mine = Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED)
    mine.update(sent_at=None, sent_to="", lease_until=None, send_after=after(pause, at=at))


def next_try(job: Job, *, left: int, lost: bool) -> tuple[int, int] | None:
    """Return attempt and losses with which the rest of a job is sent; ``None``: it has failed.

    A job that brought some games is no failed attempt, so that long ones get through on shaky
    graders.
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

    Only the caller that wins the job's transition acts.
    """
    if not job.advance(JobStatus.FAILED, system_fault=reason, lease_until=job.lease_until or at):
        return
    logger.warning("job %s, attempt %d: %s", job.uuid, job.attempt, reason)
    owner = owner_of(job)
    pause = timedelta() if lost else _PAUSES.get(job.attempt, timedelta())
    lost = lost and not owner.is_lost_as_failed
    follows = next_try(job, left=owner.missing_games(job), lost=lost)
    if follows is None:
        owner.fail(job, reason=reason, at=at)
        return
    attempt, losses = follows
    sending = Sending(
        at=at,
        pause=pause,
        attempt=attempt,
        losses=losses,
        turn_at=job.turn_at,
        is_retry=True,
    )
    owner.send_again(job, sending, reason=reason)
