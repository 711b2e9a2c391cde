"""Five teams with a submission each, and tournaments of theirs."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from tests.support.templates import copy_of
from tests.support.world import SECRET
from tests.webapp.conftest import (
    AGENT,
    NOW,
    enrolled,
    make_course,
    make_ida,
    make_standard_assignment,
)
from webapp.contests.tables import contests
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.services import TournamentSetting, start_tournament
from webapp.flow.pipeline import accept
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course
from webapp.teaching.courses.services import team_for

TEAMS = 5


@dataclass
class Stage:
    ida: User
    course: Course
    assignment: Assignment
    entrants: list[Submission]


def make_stage() -> Stage:
    ida = make_ida()
    course = make_course(ida)
    assignment = make_standard_assignment(course, ida)
    return Stage(ida, course, assignment, make_entrants(assignment))


@pytest.fixture
def stage(db: None, request: pytest.FixtureRequest) -> Stage | None:
    """A copy of ``make_stage`` for tests with entrants; others have what they ask for alone."""
    return copy_of(make_stage) if "entrants" in request.fixturenames else None


@pytest.fixture
def ida(stage: Stage | None) -> User:
    return stage.ida if stage else make_ida()


@pytest.fixture
def course(stage: Stage | None, ida: User) -> Course:
    return stage.course if stage else make_course(ida)


@pytest.fixture
def assignment(stage: Stage | None, course: Course, ida: User) -> Assignment:
    return stage.assignment if stage else make_standard_assignment(course, ida)


@pytest.fixture
def entrants(stage: Stage) -> list[Submission]:
    return stage.entrants


def make_entrants(assignment: Assignment) -> list[Submission]:
    uploads = []
    for name in ["Ada", "Ben", "Cem", "Dan", "Eva"][:TEAMS]:
        user = enrolled(assignment.course, name)
        team = team_for(user=user, assignment=assignment)
        data = AGENT + f"# {name}\n".encode()
        uploads.append(accept(team=team, by=user, filename="mine.py", data=data, at=NOW))
    Submission.objects.update(status=SubmissionStatus.READY)
    return uploads


@pytest.fixture
def start(
    assignment: Assignment,
    entrants: list[Submission],
    ida: User,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Tournament]:
    """Start a tournament: two seats, one house agent that fills, four rounds of two games.

    All have one secret, so that the games of all tests need to be played only once.
    """
    known = SimpleNamespace(token_bytes=lambda count: SECRET[:count])
    monkeypatch.setattr(contests, "secrets", known)

    def start(**changes: object) -> Tournament:
        values: dict[str, object] = {
            "sizes": (2,),
            "rounds": 4,
            "games_per_table": 2,
            "fillers": ("iggi",),
        }
        setting = TournamentSetting(**{**values, **changes})  # type: ignore[arg-type]  # any field
        return start_tournament(
            assignment=assignment, by=ida, title="Spring cup", setting=setting, at=NOW
        )

    return start
