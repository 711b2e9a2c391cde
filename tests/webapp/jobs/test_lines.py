"""Lines are read from their beginnings, and the policy decides as if it knew everything."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from tests.support.backlogs import a_backlog
from tests.webapp.conftest import NOW
from webapp.flow import metrics
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.jobs import capacity, policy
from webapp.grading.jobs.lines import lines, next_jobs
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.policy import CourseBacklog
from webapp.grading.jobs.queues import BROKER_QUEUES, Queue
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.django_db

QUEUES: Final = BROKER_QUEUES[Queue.GRADED]


@dataclass(frozen=True, slots=True)
class Place:
    course: int | None
    queue: Queue
    minute: int
    seconds: float
    state: str

    @property
    def columns(self) -> dict[str, Any]:
        sent_at = NOW - timedelta(minutes=10 - self.minute)
        return {
            "waiting": {},
            "was paused": {"send_after": NOW},
            "paused": {"send_after": NOW + timedelta(seconds=5)},
            "cancelled": {"status": JobStatus.CANCELLED},
            "sent": {"sent_at": sent_at, "sent_to": "graded"},
            "played": {"sent_at": sent_at, "sent_to": "graded", "status": JobStatus.PLAYING},
            "finished": {"sent_at": sent_at, "sent_to": "graded", "status": JobStatus.FINISHED},
        }[self.state]


STATES: Final = (
    "waiting", "waiting", "waiting", "was paused", "paused", "cancelled", "sent", "played",
    "finished",
)  # fmt: skip
PLACES: Final = st.lists(
    st.builds(
        Place,
        course=st.sampled_from((0, 1, 2, None)),
        queue=st.sampled_from(QUEUES),
        minute=st.integers(0, 4),
        seconds=st.sampled_from((0.5, 4.0, 15.0, 60.0)),
        state=st.sampled_from(STATES),
    ),
    max_size=30,
)


def fill(evaluation: Evaluation, courses: list[int], places: list[Place]) -> None:
    Job.objects.all().delete()
    Job.objects.bulk_create(
        Job(
            evaluation=evaluation,
            queue=place.queue,
            course_id=None if place.course is None else courses[place.course],
            n_games=1,
            created_at=NOW,
            turn_at=NOW + timedelta(minutes=place.minute),
            seconds=place.seconds,
            **place.columns,
        )
        for place in places
    )


def of_everything(at: datetime) -> tuple[list[CourseBacklog], dict[policy.Key, list[Job]]]:
    """Read all jobs; return the lines, and what waits in each."""
    waiting, in_flight = defaultdict(list), Counter[policy.Key]()
    served: defaultdict[policy.Key, list[datetime]] = defaultdict(list)
    for job in Job.objects.filter(queue__in=QUEUES).order_by("turn_at", "pk"):
        key = (Queue(job.queue), job.course_id)
        if job.sent_at is not None:
            in_flight[key] += job.is_open
            served[key] += [job.sent_at] if job.course_id else []
        elif job.is_open and (job.send_after is None or job.send_after <= at):
            waiting[key].append(job)
    long_ago = datetime(2000, 1, 1, tzinfo=at.tzinfo)
    known = [
        CourseBacklog(
            queue=key[0],
            course=key[1],
            waiting=len(waiting[key]),
            in_flight=in_flight[key],
            turn=waiting[key][0].turn_at.timestamp(),  # type: ignore[union-attr]  # all have turns
            served_at=max(served[key], default=long_ago).timestamp(),
            seconds=sum(job.seconds for job in waiting[key]) / len(waiting[key]),
        )
        for key in list(waiting)
    ]
    known += [
        CourseBacklog(queue=key[0], course=key[1], waiting=0, in_flight=count)
        for key, count in in_flight.items()
        if count and key not in waiting
    ]
    return known, waiting


def first_of(waiting: dict[policy.Key, list[Job]], chosen: list[policy.Key]) -> list[int]:
    left = {key: iter(jobs) for key, jobs in waiting.items()}
    return [next(left[key]).pk for key in chosen]


def test_the_same_jobs_are_chosen_as_by_reading_everything(graded: Evaluation) -> None:
    courses = [Course.objects.create(slug=f"c{number}", title="C").pk for number in range(3)]

    @given(PLACES, st.integers(1, 60), st.integers(0, 3), st.integers(1, 4))
    def the_same(places: list[Place], slots: int, held: int, most: int) -> None:
        with transaction.atomic():
            fill(graded, courses, places)
            known, waiting = of_everything(NOW)
            read = lines(QUEUES, at=NOW)
            count = policy.room(read, slots=slots, held=held)
            assert count == policy.room(known, slots=slots, held=held)
            chosen = policy.choose(known, count)
            assert policy.choose(read, count) == chosen
            assert [job.pk for job in next_jobs(chosen, at=NOW)] == first_of(waiting, chosen)
            few = policy.choose(lines(QUEUES, at=NOW, most=most), most)
            assert few == policy.choose(known, most), "no more was counted than is chosen"
            transaction.set_rollback(True)

    the_same()


def test_of_a_line_only_the_beginning_is_counted(graded: Evaluation) -> None:
    course = Course.objects.create(slug="c", title="C").pk
    places = [Place(0, Queue.GRADED, minute, 1.0 + minute, "waiting") for minute in (3, 0, 2, 1)]
    fill(graded, [course], places)
    (line,) = lines(QUEUES, at=NOW, most=2)
    assert (line.waiting, line.seconds, line.turn) == (2, 1.5, NOW.timestamp())


def steps(act: Callable[[], object]) -> int:
    """Return how many thousands of steps SQLite takes."""
    taken = 0

    def note() -> int:
        nonlocal taken
        taken += 1
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(note, 1000)
    act()
    connection.connection.set_progress_handler(None, 0)
    return taken


def looks(chosen: list[policy.Key]) -> dict[str, Callable[[], object]]:
    """Return everything that is done at a batch's first report, and when work is cut."""
    return {
        "lines": lambda: lines(QUEUES, at=NOW),
        "next jobs": lambda: next_jobs(chosen, at=NOW),
        "idle slots": lambda: capacity.idle_slots(Queue.GRADED, at=NOW),
        "oldest": lambda: list(metrics._oldest()),
    }


def test_sqlite_takes_as_many_steps_however_much_waits(graded: Evaluation) -> None:
    a_backlog(graded, 600)
    chosen = policy.choose(lines(QUEUES, at=NOW), 20)
    before = {name: steps(look) for name, look in looks(chosen).items()}
    a_backlog(graded, 12_000)
    after = {name: steps(look) for name, look in looks(chosen).items()}
    for name, count in before.items():
        assert after[name] <= 1.5 * count + 2, (name, before, after)
