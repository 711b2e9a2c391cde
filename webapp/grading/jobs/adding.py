"""New jobs: each gets its turn in the line of its course, and waits there until it is released."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from webapp.grading.jobs import policy
from webapp.grading.jobs.models import Job, JobStatus, Requester
from webapp.grading.jobs.releasing import release_later


def add_jobs(jobs: Iterable[Job], *, by: Requester) -> None:
    """Insert jobs of one queue, to be released after the commit, or ``send_after``.

    Those without a turn, all or none, are given one.
    """
    added = list(jobs)
    if not added:
        return
    for job in added:
        job.course_id, job.team_id = by.course, by.team
    if added[0].turn_at is None:
        _give_turns(added, by)
    Job.objects.bulk_create(added)
    release_later(job.queue for job in added)


def _give_turns(jobs: Sequence[Job], by: Requester) -> None:
    first = jobs[0]
    turns = policy.turns(
        [job.seconds for job in jobs],
        asked_at=first.created_at.timestamp(),
        due_at=float("inf") if by.due_at is None else by.due_at.timestamp(),
        after=_end_of_work(by, first.queue),
    )
    for job, turn in zip(jobs, turns, strict=True):
        job.turn_at = datetime.fromtimestamp(turn, UTC)


def _end_of_work(by: Requester, queue: str) -> float:
    """Return when the team's clock comes to the end of what waits already. One query."""
    waits = Job.objects.filter(team=by.team, queue=queue, status=JobStatus.QUEUED)
    last = waits.order_by("-turn_at").values_list("turn_at", "seconds").first()
    if by.team is None or last is None or last[0] is None:
        return float("-inf")
    return float(last[0].timestamp() + last[1])
