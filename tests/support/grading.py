"""The grading of all teams, as stories ask for it."""

from webapp.grading.evaluations.models import Evaluation, GradingRun
from webapp.grading.evaluations.services import start_grading
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment


def grade_teams(assignment: Assignment, by: User) -> list[Evaluation]:
    """Grade all of a few teams; return the evaluations that began, by the teams' names."""
    return evaluations_of(start_grading(assignment=assignment, by=by))


def evaluations_of(run: GradingRun) -> list[Evaluation]:
    """Return the evaluations that a grading has begun."""
    begun = Evaluation.objects.filter(submission__in=run.submissions, requested_at=run.requested_at)
    return list(begun.order_by("pk"))
