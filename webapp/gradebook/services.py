"""Grades are made here, from finished graded evaluations and nothing else."""

from datetime import datetime

from django.db import transaction

from webapp.accounts.models import User
from webapp.courses.locks import lock
from webapp.courses.models import Assignment, Team
from webapp.evaluations.models import Evaluation, Kind, Status
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission
from webapp.submissions.selectors import counted_submission


@transaction.atomic
def record_grade(*, evaluation: Evaluation, at: datetime) -> Grade:
    """The points that a finished graded evaluation is worth, by the assignment's scheme of now.

    It becomes the team's grade unless that rests on a submission with a better claim. Earlier
    grades stay as history. Raises ValueError for an evaluation that cannot give a grade.
    """
    submission = evaluation.submission
    if evaluation.kind != Kind.GRADED or submission is None:
        raise ValueError(f"{evaluation} is not a graded evaluation of a submission")
    if evaluation.status != Status.FINISHED:
        raise ValueError(f"{evaluation} is {evaluation.status}, not finished")
    assignment, team = evaluation.assignment, submission.team
    lock(assignment)  # its scheme as it is now
    mean = evaluation.mean or 0.0
    points = assignment.scheme.points(mean, _shares(evaluation))
    claims = _has_better_claim(team, submission)
    if claims:
        team.grades.filter(is_current=True).update(is_current=False)
    return Grade.objects.create(
        team=team,
        evaluation=evaluation,
        mean=mean,
        points=points,
        scheme=assignment.grading,
        graded_at=at,
        is_current=claims,
    )


@transaction.atomic
def regrade(*, assignment: Assignment, by: User, at: datetime) -> int:
    """The points of every graded team anew, by the present scheme from the means as they are.

    For who changed the scheme, within the same transaction: all teams of an assignment are graded
    by one. The earlier grades stay as history. How many there were.
    """
    current = Grade.objects.filter(team__assignment=assignment, is_current=True)
    earlier = list(current.select_related("evaluation"))
    Grade.objects.filter(pk__in=[grade.pk for grade in earlier]).update(is_current=False)
    Grade.objects.bulk_create(
        Grade(
            team_id=grade.team_id,
            evaluation_id=grade.evaluation_id,
            mean=grade.mean,
            points=assignment.scheme.points(grade.mean, _shares(grade.evaluation)),
            scheme=assignment.grading,
            graded_at=at,
            changed_by=by,
        )
        for grade in earlier
    )
    return len(earlier)


def _shares(evaluation: Evaluation) -> dict[str, float]:
    """Return the share won of each opponent."""
    wins = evaluation.wins
    return {} if wins is None else wins.shares


def _has_better_claim(team: Team, submission: Submission) -> bool:
    """Return whether a grade of this submission replaces the present one.

    The counted submission's always does; another's only if the present one is not the counted
    submission's either, nor a later submission's. So the order in which evaluations finish never
    decides a grade.
    """
    present = team.grades.filter(is_current=True).select_related("evaluation__submission").first()
    counted = counted_submission(team)
    if present is None or submission == counted:
        return True
    graded = present.evaluation.submission
    if graded is None or graded == counted:
        return False
    return submission.number >= graded.number
