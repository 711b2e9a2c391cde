"""Backlogs of many jobs, in several courses."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.queues import Queue
from webapp.teaching.courses.models import Course

if TYPE_CHECKING:
    from webapp.grading.evaluations.models import Evaluation


COURSES = 8
"""The courses that the work is of."""
_PLAYED = 20
"""Jobs in flight."""


def a_backlog(evaluation: "Evaluation", waiting: int, *, at: datetime | None = None) -> None:
    """Add so many waiting jobs of one evaluation, as if eight courses had asked for them.

    One in five is practice. A few are in flight. Ten teams at a time were graded together, so that
    their turns are equal.
    """
    now = at or timezone.now()
    courses = [
        Course.objects.get_or_create(slug=f"backlog-{number}", defaults={"title": "Backlog"})[0]
        for number in range(COURSES)
    ]
    jobs = [
        Job(
            evaluation=evaluation,
            course=courses[number % COURSES],
            queue=Queue.GRADED if number % 5 else Queue.PRACTICE,
            n_games=10,
            seconds=1.0 + number % 30,
            created_at=now - timedelta(seconds=number // 100),
            turn_at=now - timedelta(seconds=number // 400),
        )
        for number in range(waiting + _PLAYED)
    ]
    for job in jobs[waiting:]:
        job.status, job.sent_at, job.sent_to = JobStatus.PLAYING, now, "graded"
    Job.objects.bulk_create(jobs, batch_size=2000)
