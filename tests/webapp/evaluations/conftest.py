"""A graded evaluation that waits for its games."""

from collections.abc import Callable

import pytest

from tests.webapp.conftest import NOW
from webapp.accounts.models import User
from webapp.courses.models import Team
from webapp.evaluations.models import Evaluation
from webapp.evaluations.services import grade_team
from webapp.submissions.models import Submission


@pytest.fixture
def graded(ida: User, team: Team, ready: Callable[..., Submission]) -> Evaluation:
    """Ada's graded evaluation of 20 games in one batch, requested by Ida."""
    ready(team)
    return grade_team(team=team, by=ida, at=NOW)
