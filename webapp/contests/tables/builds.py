"""Participants that a grader could not build: one grader's report alone removes none.

Every participant was built before, when it was uploaded. Otherwise a grader that was taken over
could remove any participant, since a report of a build has no games that the site could replay.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.utils import timezone

from webapp.grading.jobs.models import FailedBuild, Job
from webapp.grading.operations.selectors import ready_keys

UNCONFIRMED: Final = "One grader could not build {}. It counts only if another cannot either."
"""Why a job is sent again; with the participants' names."""


def note(job: Job, numbers: Sequence[int]) -> None:
    """Keep which participants the grader of this job could not build."""
    rows = [FailedBuild(job=job, number=number) for number in numbers]
    FailedBuild.objects.bulk_create(rows, ignore_conflicts=True)


def confirmed(job: Job, numbers: Sequence[int], *, at: datetime) -> list[int]:
    """Return the participants, whom this job's grader could not build, that have to leave.

    A second grader must have failed too; where none is ready, the same in an earlier job.
    """
    mine = job.claimed_by
    if not mine:  # a report that is trusted
        return list(numbers)
    keys = {number: doubters(job, [number]) for number in numbers}
    others_ready = ready_keys(job.queue, at) - {mine}
    return [
        number
        for number in numbers
        if keys[number] - {mine} or (mine in keys[number] and not others_ready)
    ]


def doubters(job: Job, numbers: Sequence[int]) -> set[str]:
    """Return the keys of graders that failed to build one of these in the owner's other jobs."""
    same_owner = {"job__tournament": job.tournament_id, "job__ladder": job.ladder_id}
    rows = FailedBuild.objects.filter(number__in=list(numbers), **same_owner)
    return set(rows.exclude(job=job).values_list("job__claimed_by", flat=True))


def to_decline(job: Job, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return the public keys of graders that leave this job to others, if others are ready."""
    keys = doubters(job, numbers)
    if not keys or not ready_keys(job.queue, timezone.now()) - keys:
        return ()
    return tuple(sorted(keys))
