"""Fixtures for tests of leaderboards."""

from collections.abc import Callable, Mapping

import pytest

from tests.support.grading import grade_teams
from tests.webapp import fakes
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.services import team_for


@pytest.fixture
def graded_teams(
    assignment: Assignment, ida: User, enrol: Callable[..., User], ready: Callable[..., Submission]
) -> Callable[..., dict[str, Team]]:
    def graded(scores: Mapping[str, Callable[[int], fakes.Outcome]]) -> dict[str, Team]:
        teams = {}
        for name in scores:
            user = User.objects.filter(display_name=name).first() or enrol(name)
            teams[name] = team_for(user=user, assignment=assignment)
            ready(teams[name])
        for evaluation in grade_teams(assignment, ida):
            assert evaluation.submission is not None
            name = evaluation.submission.team.name
            fakes.play(evaluation, scores.get(name, fakes.steady(15)))
        return teams

    return graded
