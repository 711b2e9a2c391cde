"""The release of waiting jobs to the broker by the policy: a few whenever some are taken.

A process that notices that work can be sent only names the queue in Redis: many notices lead to one
release. Each job is sent by one of several calls alone.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from webapp.grading.jobs import broker, capacity, policy
from webapp.grading.jobs.lines import ENOUGH, lines, next_jobs
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.policy import CourseBacklog
from webapp.grading.jobs.queues import BROKER_QUEUES, Queue, broker_queue
from webapp.grading.jobs.sending import send

logger = logging.getLogger(__name__)

_UNBOUNDED: Final = (Queue.LIVE,)
"""A person waits for each of these at a page, and they take no time: all are sent."""
_LONGER: Final = 8


# See webapp/decisions/cost-of-a-release.md
def release_later(queues: Iterable[str]) -> None:
    """Have a results worker release work of these queues, once the transaction is committed."""
    wanted = sorted({broker_queue(queue) for queue in queues})
    transaction.on_commit(partial(_want, wanted), robust=True)


def _want(queues: Sequence[str]) -> None:
    try:
        broker.want_release(queues)
    except broker.BrokerError as error:
        logger.warning("the broker is away, jobs are released later: %s", error)


def release_wanted() -> int:
    """Release work of the queues that were named since the last time; return the count."""
    try:
        wanted = broker.take_wanted()
    except broker.BrokerError as error:
        logger.warning("the broker is away, jobs are released later: %s", error)
        return 0
    return release(*wanted) if wanted else 0


def release(*queues: str, at: datetime | None = None) -> int:
    """Send as much waiting work as graders can soon begin; return how many jobs went out.

    Of these queues, and those that share one of the broker's with them; of all by default.
    """
    now = at or timezone.now()
    wanted = {broker_queue(queue) for queue in queues or BROKER_QUEUES}
    sent = 0
    try:
        for queue in BROKER_QUEUES:
            if queue in wanted:
                sent += _release(queue, now)
    except broker.BrokerError as error:
        logger.warning("the broker takes no jobs now: %s", error)
    return sent


def _release(queue: Queue, now: datetime) -> int:
    waiting, most = lines(BROKER_QUEUES[queue], at=now), ENOUGH
    if not any(line.waiting for line in waiting):
        return 0
    room = _room(queue, now)
    while (count := room(waiting)) >= most and any(line.waiting == most for line in waiting):
        most *= _LONGER
        waiting = lines(BROKER_QUEUES[queue], at=now, most=most)
    return send(next_jobs(policy.choose(waiting, count), at=now)) if count else 0


def _room(queue: Queue, now: datetime) -> Callable[[Sequence[CourseBacklog]], int]:
    """Return a function of the waiting lines: how many more jobs the broker should hold.

    Messages that others put into the queue do not count as ours.
    """
    if queue in _UNBOUNDED:
        return lambda waiting: sum(line.waiting for line in waiting)
    sent = Job.objects.in_flight().filter(queue__in=BROKER_QUEUES[queue], sent_to=queue)
    counts = Counter(dict(sent.order_by().values_list("status").annotate(count=Count("pk"))))
    slots = max(capacity.slots(queue, at=now), counts[JobStatus.PLAYING])
    held = min(broker.waiting(queue), counts[JobStatus.QUEUED])
    return partial(policy.room, slots=slots, held=held)
