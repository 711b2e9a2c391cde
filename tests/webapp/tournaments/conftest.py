"""Five teams with a submission each, and tournaments of theirs."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.webapp.conftest import AGENT, NOW
from webapp.accounts.models import User
from webapp.courses.models import Assignment, Course
from webapp.courses.services import create_assignment, team_for
from webapp.submissions.models import Submission, SubmissionStatus
from webapp.submissions.services import accept
from webapp.tournaments.models import Tournament
from webapp.tournaments.services import Setting, start_tournament

TEAMS = 5


@pytest.fixture
def assignment(course: Course, ida: User) -> Assignment:
    """Short games of two."""
    return create_assignment(
        course=course,
        by=ida,
        slug="hanabi",
        title="Hanabi",
        options={"variant": "standard", "players": 2},
        opens_at=NOW - timedelta(days=7),
        due_at=NOW + timedelta(days=7),
    )


@pytest.fixture
def entrants(assignment: Assignment, enrol: Callable[..., User]) -> list[Submission]:
    """A ready submission of each team."""
    uploads = []
    for name in ["Ada", "Ben", "Cem", "Dan", "Eva"][:TEAMS]:
        user = enrol(name)
        team = team_for(user=user, assignment=assignment)
        data = AGENT + f"# {name}\n".encode()
        uploads.append(accept(team=team, by=user, filename="mine.py", data=data, at=NOW))
    Submission.objects.update(status=SubmissionStatus.READY)
    return uploads


@pytest.fixture
def start(
    assignment: Assignment, entrants: list[Submission], ida: User
) -> Callable[..., Tournament]:
    """Start a tournament: two seats, one house agent that fills, four rounds of two games."""

    def start(**changes: object) -> Tournament:
        values: dict[str, object] = {
            "sizes": (2,),
            "rounds": 4,
            "games_per_table": 2,
            "fillers": ("iggi",),
        }
        setting = Setting(**{**values, **changes})  # type: ignore[arg-type]  # any field
        return start_tournament(
            assignment=assignment, by=ida, title="Spring cup", setting=setting, at=NOW
        )

    return start
