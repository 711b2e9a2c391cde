"""Grading all teams: the first few immediately, the others in the background."""

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from grader.core.errors import RecordError, RulesError
from webapp.base.errors import Refused
from webapp.grading.evaluations.models import GradingRun, Kind
from webapp.grading.evaluations.services.requests import request_evaluation
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import counted_submissions
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_right
from webapp.teaching.courses.rights import Right

logger = logging.getLogger(__name__)

AT_ONCE: Final = 10
"""Teams graded in one transaction: a fraction of a second, in which others wait for SQLite."""
_AT_A_TICK: Final = 10


def start_grading(*, assignment: Assignment, by: User, at: datetime | None = None) -> GradingRun:
    """Begin to request the graded evaluation of every team that has something to count.

    The first teams are done when it returns. Raises NotAllowed, Refused.
    """
    require_right(by, assignment.course, Right.GRADE)
    now = at or timezone.now()
    with transaction.atomic():
        lock(assignment)
        if GradingRun.objects.filter(assignment=assignment, finished_at__isnull=True).exists():
            raise Refused("All teams are being graded already.")
        counted = sorted(
            counted_submissions(assignment).values(), key=lambda submission: submission.team.name
        )
        run = GradingRun.objects.create(
            assignment=assignment,
            requested_by=by,
            requested_at=now,
            submissions=[submission.pk for submission in counted],
        )
        record(
            ActKind.GRADING_STARTED,
            by=by,
            thing=assignment,
            after={"submissions": len(counted)},
            at=now,
        )
    return _grade_some(run.pk, at=now)


def go_on_grading(*, at: datetime) -> int:
    """Do the next teams of each grading under way; return how many gradings still go on."""
    for _ in range(_AT_A_TICK):
        under_way = list(GradingRun.objects.filter(finished_at__isnull=True))
        for run in under_way:
            _grade_some(run.pk, at=at)
        if not under_way:
            return 0
    return GradingRun.objects.filter(finished_at__isnull=True).count()


@transaction.atomic
def _grade_some(pk: int, *, at: datetime) -> GradingRun:
    """Request the next evaluations under the run's lock. A team's failure skips that team alone."""
    run = GradingRun.objects.select_for_update().get(pk=pk)
    keys = run.submissions[run.done : run.done + AT_ONCE]
    chosen = Submission.objects.select_related("team__assignment__course").in_bulk(keys)
    for submission in (chosen[key] for key in keys if key in chosen):
        try:
            request_evaluation(kind=Kind.GRADED, submission=submission, by=run.requested_by, at=at)
        except Refused as error:
            run.refused[submission.team.name] = str(error)
        except (RecordError, RulesError) as error:
            logger.exception("submission %s cannot be graded", submission.pk)
            run.refused[submission.team.name] = f"An error of ours: {error}"
    run.done += len(keys)
    if run.done >= run.total:
        run.finished_at = at
    run.save(update_fields=["done", "refused", "finished_at"])
    return run
