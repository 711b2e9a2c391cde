"""From an upload to a leaderboard row: every step that leads to another, in order.

1. An upload is checked, stored and numbered (``submissions.services``); a smoke test is requested.
2. A request makes rows for an evaluation and its jobs (``evaluations.services.requests``). They are
   given a turn (``jobs.adding``), sent when it has come (``jobs.releasing``), and sent again if
   they are lost (``jobs.leases``).
3. A grader compiles, plays and reports (``webapp.flow.tasks``, ``jobs.recording``). Its build
   moves the submission on, or rejects it; its games become rows; the last game that is needed
   finishes the evaluation (``evaluations.services.finishing``).
4. A smoke test judges its submission, which goes on to practise and enters the assignment's ladder,
   if there is one (``ladders.services``); a graded evaluation becomes a grade
   (``gradebook.services``), and a sample of its games is audited. The team is told by e-mail
   (``webapp.flow.emails``).
   A change of a date recomputes all points of the course (``change_dates``).
5. Leaderboards read what is current then (``leaderboards.selectors.standings``).

Each app does its own steps; only this module knows what comes next. Views and tasks call it; the
steps check permissions.
"""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, TypeVar, Unpack

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.contests.ladders import services as ladders
from webapp.contests.ladders.services.jobs import LadderJobs
from webapp.contests.playing.services.answers import HumanGameJobs
from webapp.contests.tournaments.auditing import TournamentAudits, flagged_teams
from webapp.contests.tournaments.services.jobs import TournamentJobs
from webapp.flow.emails import (
    tell_answered,
    tell_departure,
    tell_extension,
    tell_graded,
    tell_released,
    tell_verdict,
)
from webapp.grading.audits.evaluations import EvaluationAudits, request_audit
from webapp.grading.evaluations import services as evaluations
from webapp.grading.evaluations import work
from webapp.grading.evaluations.models import Draft, Evaluation, Kind
from webapp.grading.evaluations.services.drafts import as_file, move_to
from webapp.grading.evaluations.services.finishing import judge_smoke_test
from webapp.grading.evaluations.services.insights import request_insights
from webapp.grading.evaluations.services.jobs import EvaluationJobs
from webapp.grading.evaluations.services.tries import refusals_noted, request_try
from webapp.grading.gradebook import services as gradebook
from webapp.grading.gradebook.faults import register_flags
from webapp.grading.gradebook.models import Outcome, RegradeRequest
from webapp.grading.gradebook.points import comment_by_hand
from webapp.grading.gradebook.services import apply_lateness, record_grade, regrade
from webapp.grading.jobs import capacity, owners
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.operations.selectors import missing_images, ready_games, ready_slots
from webapp.grading.submissions import services as submissions
from webapp.grading.submissions.models import Choice, Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses import services as courses
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Extension, Section, Team
from webapp.teaching.courses.releases import is_released
from webapp.teaching.courses.selectors import team_of
from webapp.teaching.courses.work import register_work

T = TypeVar("T")

_DATES_CHANGED: Final = "A due date or the late policy was changed."


# --- 1. From an upload to its smoke test --------------------------------------------------------


def accept_from(
    *,
    user: User,
    assignment: Assignment,
    at: datetime | None = None,
    **file: Unpack[submissions.File],
) -> Submission:
    """Take a student's upload for their team. The first upload creates the team.

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
    if submission.evaluations.exists():  # the same upload, sent twice
        return submission
    evaluations.request_evaluation(kind=Kind.SMOKE, submission=submission, at=at)
    return submission


def try_draft(*, draft: Draft, user: User, at: datetime | None = None) -> Evaluation:
    """Check a draft as an upload, and have it play as in a first test; nothing else follows.

    Raises what ``check_try_from`` and ``request_try`` do.
    """
    now = at or timezone.now()
    with refusals_noted(draft):
        upload = submissions.check_try_from(
            user=user, assignment=draft.assignment, at=now, **as_file(draft)
        )
    return request_try(draft=draft, upload=upload, at=now)


def upload_draft(*, draft: Draft, user: User, at: datetime | None = None) -> Submission:
    """Take a draft as an upload, by the same checks; it then stands at the new submission.

    Raises what ``accept_from`` does.
    """
    with refusals_noted(draft):
        submission = accept_from(user=user, assignment=draft.assignment, at=at, **as_file(draft))
    move_to(draft, submission)
    return submission


# --- 2 and 3. From a request to the end of an evaluation ----------------------------------------


def register_owners() -> None:
    """Register the owners of jobs, and what lower floors ask of those above.

    Called once, when the site starts.
    """
    capacity.register(ready_slots, missing_images, ready_games)
    register_work(work)
    register_flags(flagged_teams)
    owners.register(
        EvaluationJobs(then=_follow_up),
        TournamentJobs(),
        EvaluationAudits(),
        TournamentAudits(),
        LadderJobs(then=tell_departure),
        HumanGameJobs(),
    )


@transaction.atomic
def requeue(*, evaluation: Evaluation, by: User, at: datetime | None = None) -> None:
    """Send the missing games of a failed evaluation again; it may prove to be finished."""
    now = at or timezone.now()
    if evaluations.requeue(evaluation=evaluation, by=by, at=now):
        _follow_up(evaluation, now)


# --- 4. From the end of an evaluation to what follows ------------------------------------------


def _follow_up(evaluation: Evaluation, at: datetime) -> None:
    """Do what follows from a finished evaluation, in the transaction that finished it."""
    if evaluation.kind == Kind.TRY:
        return
    request_insights(evaluation)
    submission = evaluation.submission
    if submission is None:
        return  # a house agent's: nothing follows from its figures
    if evaluation.kind == Kind.SMOKE and judge_smoke_test(evaluation):
        evaluations.request_evaluation(kind=Kind.PRACTICE, submission=submission, at=at)
        with errors_logged("%s cannot enter its ladder yet", submission), transaction.atomic():
            ladders.admit(submission, at=at)
    elif evaluation.kind == Kind.GRADED:
        record_grade(evaluation=evaluation, at=at)
        request_audit(evaluation=evaluation, at=at)
        if is_released(submission.team):
            tell_graded(evaluation, at=at)
    else:  # rejected by its smoke test, or at the end of its practice
        tell_verdict(evaluation, at=at)
    course = evaluation.assignment.course
    if course.late_days and evaluation.kind != Kind.GRADED:
        # Another upload may count now, and use late days that others counted on.
        by, reason = submission.uploaded_by, "An upload that counts uses late days."
        apply_lateness(course=course, by=by, at=at, reason=reason, team=submission.team)


# --- From held grades to released ones -----------------------------------------------------------


@transaction.atomic
def release_grades(
    *, assignment: Assignment, by: User, section: Section | None = None, at: datetime | None = None
) -> None:
    """Let students see grades that were held, and tell them so."""
    now = at or timezone.now()
    courses.release_grades(assignment=assignment, by=by, section=section, at=now)
    tell_released(assignment, at=now)


# --- From a regrade request to its answer -------------------------------------------------------


@transaction.atomic
def answer_regrade(
    *,
    request: RegradeRequest,
    by: User,
    outcome: str,
    answer: str,
    points: Decimal | None = None,
    at: datetime | None = None,
) -> None:
    """Answer a regrade request, carry out the answer, and notify the student.

    Raises NotAllowed, ValidationError; Refused if it was answered already, and where games cannot
    be played again.
    """
    now = at or timezone.now()
    answered = gradebook.answer_regrade(
        request=request, by=by, outcome=Outcome(outcome), answer=answer, at=now
    )
    if answered.outcome == Outcome.CHANGED:
        _change_points(request, by, points, now)
    elif answered.outcome == Outcome.REPLAYED:
        team = team_of(request.user, request.assignment)
        if team is None:
            raise Refused("This student has no team whose games could be played again.")
        evaluations.grade_team(team=team, by=by, at=now)
    tell_answered(answered, at=now)


def _change_points(request: RegradeRequest, by: User, points: Decimal | None, at: datetime) -> None:
    """Replace the student's points by those of the answer; the comment on them stays."""
    assignment = request.assignment
    gradebook.set_points(
        enrolment=Enrolment.objects.get(course=assignment.course, user=request.user_id),
        assignment=assignment,
        by=by,
        points=points,
        replaces=True,
        comment=comment_by_hand(assignment, request.user_id),
        reason="After a regrade request.",
        at=at,
    )


# --- A changed grading scheme -------------------------------------------------------------------


@transaction.atomic
def update_assignment(
    *, assignment: Assignment, by: User, at: datetime | None = None, reason: str = "", **fields: Any
) -> int:
    """Change an assignment, and return how many teams' points were recomputed.

    ``reason``: why the grading scheme changes; the teams read it. Students are told of
    grades that are no longer held. Raises NotAllowed, Refused, ValidationError.
    """
    now = at or timezone.now()
    regraded, was_held = 0, assignment.holds_grades
    if courses.update_assignment(assignment=assignment, by=by, **fields):
        regraded = regrade(assignment=assignment, by=by, at=now, reason=reason)
    if was_held and not assignment.holds_grades:
        tell_released(assignment, at=now)
    return regraded + apply_lateness(course=assignment.course, by=by, at=now, reason=_DATES_CHANGED)


# --- A changed date, or another upload that counts ------------------------------------------------


@transaction.atomic
def change_dates(
    *,
    course: Course,
    by: User,
    change: Callable[[], T],
    reason: str = _DATES_CHANGED,
    at: datetime | None = None,
) -> T:
    """Run ``change``, which may move a due date in the course or change which upload counts.

    Then recompute the points of uploads whose lateness has changed, for this reason. Raises what
    ``change`` does.
    """
    now = at or timezone.now()
    result = change()
    team = result.team if isinstance(result, Choice) else None
    apply_lateness(course=course, by=by, at=now, reason=reason, team=team)
    for extension in result if isinstance(result, list) else [result]:
        if isinstance(extension, Extension):
            tell_extension(extension, at=now)
    return result
