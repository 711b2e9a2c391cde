"""Turns submissions and evaluations into the API's answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse

from grader.core.games import Game, game_named
from grader.core.games.outcomes import tally_of
from webapp.grading.evaluations.history import SubmissionRow
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grades_by
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.source import uploaded_name
from webapp.people.accounts.models import User
from webapp.runtime.api.schemas import AssignmentOut, EvaluationOut, MessageOut, SubmissionOut
from webapp.teaching.courses.deadlines import Deadline
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.resolution import resolve_for


def assignments_out(assignments: Iterable[Assignment], user: User) -> list[AssignmentOut]:
    """Return assignments as this user sees them."""
    assignments = list(assignments)
    resolutions = resolve_for(user, assignments)
    return [
        _assignment_out(assignment, resolutions[assignment.pk].of(user.pk).deadline)
        for assignment in assignments
    ]


def _assignment_out(assignment: Assignment, deadline: Deadline) -> AssignmentOut:
    course = assignment.course.slug
    return AssignmentOut(
        course=course,
        assignment=assignment.slug,
        title=assignment.title,
        game=assignment.game,
        interfaces=assignment.interfaces,
        opens_at=assignment.opens_at,
        due_at=deadline.due_at,
        ends_at=deadline.ends_at,
        late_days=deadline.late_days,
        url=_url("courses:assignment", course, assignment.slug),
    )


def submissions_out(rows: Sequence[SubmissionRow]) -> list[SubmissionOut]:
    """Return submissions of a team. One query."""
    grades = grades_by(row.graded for row in rows if row.graded is not None)
    return [_submission_out(row, grades) for row in rows]


def submission_out(row: SubmissionRow) -> SubmissionOut:
    """Return a submission with the part of its evaluations that its team may see."""
    (only,) = submissions_out([row])
    return only


def _submission_out(row: SubmissionRow, grades: Mapping[int, Grade]) -> SubmissionOut:
    submission = row.submission
    assignment = submission.team.assignment
    game = game_named(assignment.game)
    runs = [run for run in (row.smoke, row.practice, row.graded) if run is not None]
    return SubmissionOut(
        id=submission.pk,
        number=submission.number,
        course=assignment.course.slug,
        assignment=assignment.slug,
        filename=submission.filename,
        interface=submission.interface,
        uploaded_at=submission.uploaded_at,
        status=submission.status,
        is_counted=row.is_counted,
        late_days=row.lateness.late_days,
        penalty_percent=float(row.lateness.penalty_percent),
        is_under_way=row.is_under_way,
        warning=submission.warning,
        messages=_messages(submission, submission.messages),
        notes=_messages(submission, submission.notes),
        evaluations=[_evaluation_out(run, game, grades.get(run.pk)) for run in runs],
        url=_url("submissions:submission", submission.pk),
    )


def _evaluation_out(evaluation: Evaluation, game: type[Game], grade: Grade | None) -> EvaluationOut:
    tally = None if evaluation.mean is None else tally_of(game, evaluation.histogram)
    return EvaluationOut(
        id=str(evaluation.uuid),
        kind=evaluation.kind,
        status=evaluation.status,
        verdict=evaluation.verdict,
        games=evaluation.n_games,
        games_done=evaluation.games_done,
        faults=evaluation.faults,
        mean=evaluation.mean,
        low=evaluation.low,
        high=evaluation.high,
        wins=None if tally is None else tally.wins,
        draws=None if tally is None else tally.draws,
        losses=None if tally is None else tally.losses,
        points=None if grade is None else float(grade.points),
        url=_url("evaluations:evaluation", evaluation.uuid),
    )


def _messages(submission: Submission, messages: Iterable[Mapping[str, Any]]) -> list[MessageOut]:
    outs = [MessageOut(**message) for message in messages]
    for out in outs:
        out.file = uploaded_name(submission, out.file)
    return outs


def _url(name: str, *words: object) -> str:
    return settings.SITE_URL + reverse(name, args=words)
