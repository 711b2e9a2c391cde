"""The release of waiting jobs to the broker by the policy: a few whenever some are taken.

Called when work is added, when a grader reports that it has taken some, and every few seconds.
Calls at the same time choose the same jobs, and each job is sent by one of them alone.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Final

from django.db import transaction
from django.db.models import Avg, Count, Min, OuterRef, Subquery
from django.utils import timezone

from webapp.jobs import broker, capacity, policy
from webapp.jobs.models import Job, JobQuerySet, JobStatus
from webapp.jobs.policy import Key, Line
from webapp.jobs.queues import BROKER_QUEUES, Queue, broker_queue
from webapp.jobs.sending import send

__all__ = ["lines", "release", "release_later"]

logger = logging.getLogger(__name__)

_UNBOUNDED: Final = (Queue.LIVE,)
"""A person waits for each of these at a page, and they take no time: all are sent."""


def release_later(queues: Iterable[str]) -> None:
    """Release work of these queues when the transaction is committed."""
    transaction.on_commit(partial(release, *sorted(set(queues))), robust=True)


def release(*queues: str, at: datetime | None = None) -> int:
    """Send as much waiting work as graders can soon begin; return how many jobs went out.

    Of these queues, and those that share one of the broker's with them; of all by default. While
    the broker is away, nothing is lost: the next call tries again.
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
    waiting = lines(BROKER_QUEUES[queue], at=now)
    total = sum(line.waiting for line in waiting)
    if not total:
        return 0
    count = total if queue in _UNBOUNDED else _room(queue, waiting, now)
    return send(_first(policy.choose(waiting, count), now)) if count else 0


def _room(queue: Queue, waiting: Sequence[Line], now: datetime) -> int:
    """Return how many more the broker should hold.

    A job that is played counts as a slot. Messages that others put into the queue do not
    count as ours.
    """
    sent = Job.objects.in_flight().filter(sent_to=queue).order_by().values_list("status")
    counts = Counter(dict(sent.annotate(count=Count("pk"))))
    slots = max(capacity.slots(queue, at=now), counts[JobStatus.PLAYING])
    held = min(broker.waiting(queue), counts[JobStatus.QUEUED])
    return policy.room(waiting, slots=slots, held=held)


def _first(chosen: Sequence[Key], now: datetime) -> list[Job]:
    """Return the next jobs of these lines, in this order. One query a line."""
    due = Job.objects.due(now).with_owners().order_by("turn_at", "pk")
    jobs = {
        (queue, course): iter(due.filter(queue=queue, course=course)[:count])
        for (queue, course), count in Counter(chosen).items()
    }
    following = (next(jobs[key], None) for key in chosen)  # another call may have sent it meanwhile
    return [job for job in following if job is not None]


def lines(queues: Iterable[Queue], *, at: datetime) -> list[Line]:
    """Return the lines of these queues: those in which something waits or is in flight.

    Two queries, however much waits.
    """
    in_queues = Job.objects.filter(queue__in=list(queues)).order_by()
    flying = _by_line(in_queues.in_flight())
    waiting = (
        in_queues.due(at)
        .values("queue", "course")
        .annotate(
            waiting=Count("pk"), first=Min("turn_at"), mean=Avg("seconds"), served=_served_at()
        )
    )
    in_line = [
        Line(
            queue=Queue(row["queue"]),
            course=row["course"],
            waiting=row["waiting"],
            in_flight=flying.pop((Queue(row["queue"]), row["course"]), 0),
            turn=_seconds(row["first"]),
            served_at=_seconds(row["served"]),
            seconds=row["mean"],
        )
        for row in waiting
    ]
    rest = (
        Line(queue=queue, course=course, waiting=0, in_flight=count)
        for (queue, course), count in flying.items()
    )
    return list(chain(in_line, rest))


def _by_line(jobs: JobQuerySet) -> dict[Key, int]:
    rows = jobs.values_list("queue", "course").annotate(count=Count("pk"))
    return {(Queue(queue), course): count for queue, course, count in rows}


def _served_at() -> Subquery:
    """Return the time at which a course was last served in a queue."""
    sent = Job.objects.filter(queue=OuterRef("queue"), course=OuterRef("course"))
    latest = sent.filter(sent_at__isnull=False).order_by("-sent_at")
    return Subquery(latest.values("sent_at")[:1])


_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


def _seconds(moment: datetime | None) -> float:
    return (moment or _LONG_AGO).timestamp()
