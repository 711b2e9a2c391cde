"""From an upload to a leaderboard row: every step that leads to another, in order.

The apps below do the steps and know nothing of what comes next. Who calls is a view or a task
(``webapp.tasks``); whoever may not do something is refused by the step itself.
"""

from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.utils import timezone

from webapp.accounts.models import User
from webapp.courses import services as courses
from webapp.courses.models import Assignment, Team
from webapp.evaluations import services as evaluations
from webapp.evaluations.models import Evaluation, Kind
from webapp.evaluations.services.audits import AuditJobs, request_audit
from webapp.evaluations.services.judging import judge_smoke_test
from webapp.evaluations.services.recording import EvaluationJobs
from webapp.gradebook.services import record_grade, regrade
from webapp.jobs import owners
from webapp.submissions import services as submissions
from webapp.submissions.models import Submission
from webapp.tournaments.services.jobs import TournamentJobs

__all__ = [
    "accept",
    "accept_from",
    "register_owners",
    "requeue",
    "update_assignment",
]


# --- 1. An upload is checked and stored; its smoke test is requested -----------------------------


def accept_from(
    *,
    user: User,
    assignment: Assignment,
    at: datetime | None = None,
    **file: Unpack[submissions.File],
) -> Submission:
    """Take a student's upload for their team, which is made with the first one.

    Raises what ``check_upload_from`` and ``record_upload`` do; then nothing else has happened.
    """
    now = at or timezone.now()
    upload = submissions.check_upload_from(user=user, assignment=assignment, at=now, **file)
    return _submit(upload, now)


def accept(
    *, team: Team, by: User, at: datetime | None = None, **file: Unpack[submissions.File]
) -> Submission:
    """Take an upload for a team, from one of its members or from the course's staff."""
    now = at or timezone.now()
    return _submit(submissions.check_upload(team=team, by=by, at=now, **file), now)


@transaction.atomic
def _submit(upload: submissions.Upload, at: datetime) -> Submission:
    submission = submissions.record_upload(upload, at=at)
    evaluations.request_evaluation(kind=Kind.SMOKE, submission=submission, at=at)
    return submission


# --- 2. A request makes rows for the evaluation and its jobs, sent when they are committed -------
# --- 3. A grader reports (``jobs.recording``). The last game that is needed finishes it ----------


def register_owners() -> None:
    """Say who answers for jobs, and what follows when an evaluation has finished.

    Called once, when the site starts.
    """
    owners.register(
        {
            "evaluation": EvaluationJobs(then=_go_on),
            "tournament": TournamentJobs(),
            "audit": AuditJobs(),
        }
    )


@transaction.atomic
def requeue(*, evaluation: Evaluation, by: User, at: datetime | None = None) -> None:
    """Send the missing games of a failed evaluation again; it may prove to be finished."""
    now = at or timezone.now()
    if evaluations.requeue(evaluation=evaluation, by=by, at=now):
        _go_on(evaluation, now)


# --- 4. A smoke test judges its submission; a ready one practises. A graded one gives a grade ----


def _go_on(evaluation: Evaluation, at: datetime) -> None:
    """Do what follows from a finished evaluation, in the transaction that finished it."""
    submission = evaluation.submission
    if submission is None:
        return  # a house agent's: its figures are all there is to it
    if evaluation.kind == Kind.SMOKE and judge_smoke_test(evaluation):
        evaluations.request_evaluation(kind=Kind.PRACTICE, submission=submission, at=at)
    if evaluation.kind == Kind.GRADED:
        record_grade(evaluation=evaluation, at=at)
        request_audit(evaluation=evaluation, at=at)


# --- 5. Leaderboards read current evaluations and grades: ``leaderboards.selectors.standings`` ---
# --- Another grading scheme holds for everybody --------------------------------------------------


@transaction.atomic
def update_assignment(
    *, assignment: Assignment, by: User, at: datetime | None = None, **fields: Any
) -> int:
    """Change an assignment, and return how many teams' points were computed anew for it.

    Raises NotAllowed, Refused, ValidationError.
    """
    if not courses.update_assignment(assignment=assignment, by=by, **fields):
        return 0
    return regrade(assignment=assignment, by=by, at=at or timezone.now())
