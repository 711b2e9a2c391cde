"""Reading the lines of waiting jobs from their beginnings: the cost is the same however much waits.

A line is what waits in one queue for one course. The index ``job_waiting`` has its order.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

from django.apps import apps
from django.db.models import (
    Avg,
    Count,
    DateTimeField,
    FloatField,
    IntegerField,
    Min,
    OuterRef,
    Subquery,
    Value,
)

from webapp.grading.jobs.models import Job
from webapp.grading.jobs.policy import CourseBacklog, Key
from webapp.grading.jobs.queues import Queue

ENOUGH: Final = 32
"""The waiting jobs of a line that are counted, unless more of them can be sent at a time."""
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


def lines(queues: Iterable[Queue], *, at: datetime, most: int = ENOUGH) -> list[CourseBacklog]:
    """Return the lines of these queues in which something waits or is in flight. Three queries.

    Only the first ``most`` jobs of a line are counted, and ``seconds`` is their mean.
    """
    chosen = list(queues)
    flying = in_flight(chosen)
    waiting = chain(_of_no_course(chosen, at), _of_courses(chosen, at, most))
    in_line = [
        CourseBacklog(
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
        CourseBacklog(queue=queue, course=course, waiting=0, in_flight=count)
        for (queue, course), count in flying.items()
    )
    return [*in_line, *rest]


def next_jobs(chosen: Sequence[Key], *, at: datetime) -> list[Job]:
    """Return the next job of each of these lines, unless another process sent it. Two queries."""
    if not chosen:
        return []
    rows, due = Job.objects.order_by().values("pk"), Job.objects.due(at)
    first, *others = (
        rows.filter(pk__in=due.filter(queue=queue, course=course)[:count].values("pk"))
        for (queue, course), count in Counter(chosen).items()
    )
    # A query of their own: PostgreSQL would join the owners to all jobs, and then look for these.
    keys = list(first.union(*others, all=True).values_list("pk", flat=True))
    jobs: defaultdict[Key, deque[Job]] = defaultdict(deque)
    for job in Job.objects.filter(pk__in=keys).with_owners().order_by("turn_at", "pk"):
        jobs[Queue(job.queue), job.course_id].append(job)
    return [jobs[key].popleft() for key in chosen if jobs[key]]


def in_flight(queues: Iterable[Queue]) -> Counter[Key]:
    """Return how many jobs of each line are in flight. One query."""
    jobs = Job.objects.in_flight().filter(queue__in=list(queues)).order_by()
    rows = jobs.values_list("queue", "course").annotate(count=Count("pk"))
    return Counter({(Queue(queue), course): count for queue, course, count in rows})


def _of_courses(queues: Sequence[Queue], at: datetime, most: int) -> Iterator[dict[str, Any]]:
    courses = apps.get_model("courses", "Course").objects.order_by().values("pk")
    figures = {queue: _beginning(queue, at, most) for queue in queues}
    columns = {f"{queue}_{name}": each for queue in queues for name, each in figures[queue].items()}
    rows: Iterable[Mapping[str, Any]] = courses.annotate(**columns)
    for row in rows:
        for queue in queues:
            if row[f"{queue}_waiting"]:
                own = {name: row[f"{queue}_{name}"] for name in figures[queue]}
                yield {"queue": queue, "course": row["pk"], **own}


def _beginning(queue: Queue, at: datetime, most: int) -> dict[str, Subquery]:
    """Return the figures of a course's line: each reads ``most`` jobs at most."""
    in_line = Job.objects.filter(queue=queue, course=OuterRef("pk"))
    jobs = in_line.due(at)[:most].values("turn_at", "seconds")
    served = in_line.filter(sent_at__isnull=False).order_by("-sent_at").values("sent_at")
    count, first, mean = (
        "(SELECT COUNT(*) FROM (%(subquery)s) jobs)",
        "(SELECT MIN(turn_at) FROM (%(subquery)s) jobs)",
        "(SELECT AVG(seconds) FROM (%(subquery)s) jobs)",
    )
    return {
        "waiting": Subquery(jobs, template=count, output_field=IntegerField()),
        "first": Subquery(jobs, template=first, output_field=DateTimeField()),
        "mean": Subquery(jobs, template=mean, output_field=FloatField()),
        "served": Subquery(served[:1]),
    }


def _of_no_course(queues: Sequence[Queue], at: datetime) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of jobs whose course was deleted: there are few."""
    jobs = Job.objects.due(at).filter(queue__in=queues, course__isnull=True).order_by()
    rows = jobs.values("queue", "course").annotate(
        waiting=Count("pk"), first=Min("turn_at"), mean=Avg("seconds"),
        served=Value(None, output_field=DateTimeField()),
    )  # fmt: skip
    yield from rows


def _seconds(moment: datetime | None) -> float:
    return (moment or _LONG_AGO).timestamp()
