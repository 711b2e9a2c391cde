"""Grades are made here, from finished graded evaluations and nothing else."""

from datetime import datetime

import msgspec
from django.db import transaction

from grader.evaluation import GradingScheme
from grader.records import from_json
from webapp.courses.models import Team
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
    team = Team.objects.select_for_update(of=("self",)).get(pk=submission.team_id)
    scheme = evaluation.assignment.grading
    mean = evaluation.mean or 0.0
    claims = _has_better_claim(team, submission)
    if claims:
        team.grades.filter(is_current=True).update(is_current=False)
    return Grade.objects.create(
        team=team,
        evaluation=evaluation,
        mean=mean,
        points=from_json(msgspec.json.encode(scheme), GradingScheme).points(mean),
        scheme=scheme,
        graded_at=at,
        is_current=claims,
    )


def _has_better_claim(team: Team, submission: Submission) -> bool:
    """Whether a grade of this submission replaces the present one.

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
