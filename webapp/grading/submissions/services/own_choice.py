"""A team's own decision which of its uploads is to count."""

from datetime import datetime

from django.db import transaction

from webapp.base.errors import Refused
from webapp.grading.submissions.models import Choice, Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.permissions import (
    is_own_team,
    require_right_for,
    require_unarchived,
    viewer_in,
)
from webapp.teaching.courses.resolution import resolution_of
from webapp.teaching.courses.rights import Right


@transaction.atomic
def choose_submission(*, submission: Submission, by: User, at: datetime) -> Choice:
    """Choose the upload that counts: the team until its time is over, staff at any time.

    Raises NotAllowed; Refused where teams don't choose, and for an upload that cannot count.
    """
    team = submission.team
    own = is_own_team(by, team)
    require_unarchived(team.assignment.course)
    if not own:
        require_right_for(by, team, Right.UPLOAD)
    lock(team.assignment)
    _require_eligible(submission, by, at)
    if not own:
        record(
            ActKind.UPLOAD_CHOSEN, by=by, team=team, thing=f"{team.assignment}, {submission}", at=at
        )
    return Choice.objects.create(team=team, submission=submission, chosen_by=by, chosen_at=at)


def _require_eligible(submission: Submission, by: User, at: datetime) -> None:
    assignment = submission.team.assignment
    if assignment.counts != DeadlineRule.CHOICE:
        raise Refused("In this assignment teams don't choose which upload counts.")
    if submission.status != SubmissionStatus.READY:
        raise Refused("Only an accepted upload can count.")
    ends_at = resolution_of(submission.team).deadline.ends_at
    if submission.uploaded_at > ends_at:
        raise Refused("This upload came too late to count.")
    if at > ends_at and not viewer_in(by, assignment.course).is_staff:
        raise Refused("The time to choose is over: ask your instructor.")
