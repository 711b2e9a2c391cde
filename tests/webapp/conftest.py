"""The cast: Ida teaches, Ada and Ben are her students, Vic only visits. And what they work with."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from tests.webapp.fakes import play
from webapp.accounts.models import User
from webapp.courses.models import Assignment, Course, Enrolment, Role, Team
from webapp.courses.services import create_assignment, create_course, team_for
from webapp.evaluations.models import Evaluation, Kind
from webapp.evaluations.services import grade_team
from webapp.submissions.models import Submission
from webapp.submissions.services import accept

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
"""Noon of an ordinary day; the assignment is due a week later."""

AGENT = b"import firebox\n\n\nclass Mine(firebox.Agent):\n    pass\n"


@pytest.fixture(autouse=True)
def _site(settings: Settings, tmp_path: Path) -> None:
    settings.STORE_URL = str(tmp_path / "store")
    settings.STATIC_ROOT = tmp_path
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SLOTS = 2
    settings.LEASE_SECONDS = 60.0
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def person(name: str) -> User:
    """Somebody with an account."""
    return User.objects.create_user(f"{name.lower()}@uni.example", display_name=name)


@pytest.fixture
def ida(db: None) -> User:
    """The instructor."""
    user = person("Ida")
    user.may_create_courses = True
    user.save()
    return user


@pytest.fixture
def vic() -> AnonymousUser:
    """A visitor without an account."""
    return AnonymousUser()


@pytest.fixture
def outsider(db: None) -> User:
    """Somebody with an account, enrolled nowhere."""
    return person("Olga")


@pytest.fixture
def course(ida: User) -> Course:
    """Ida's course, in Berlin."""
    return create_course(by=ida, title="Games", slug="games", timezone="Europe/Berlin")


@pytest.fixture
def enrol(course: Course) -> Callable[..., User]:
    """Make somebody and enrol them."""

    def enrol(name: str, role: Role = Role.STUDENT) -> User:
        user = person(name)
        Enrolment.objects.create(course=course, user=user, role=role)
        return user

    return enrol


@pytest.fixture
def ada(enrol: Callable[..., User]) -> User:
    """A student."""
    return enrol("Ada")


@pytest.fixture
def ben(enrol: Callable[..., User]) -> User:
    """Another student."""
    return enrol("Ben")


@pytest.fixture
def assignment(course: Course, ida: User) -> Assignment:
    """Twenty graded games, due a week from now."""
    return create_assignment(
        course=course,
        by=ida,
        slug="hanabi",
        title="Hanabi",
        options={"variant": "gcc", "players": 2},
        n_games=20,
        practice_games=10,
        smoke_games=5,
        max_consecutive_faults=4,
        opens_at=NOW - timedelta(days=7),
        due_at=NOW + timedelta(days=7),
        max_team_size=2,
        uploads_per_day=3,
    )


@pytest.fixture
def team(assignment: Assignment, ada: User) -> Team:
    """Ada's team."""
    return team_for(user=ada, assignment=assignment)


@pytest.fixture
def upload() -> Callable[..., Submission]:
    """Have a team upload something."""

    def upload(
        team: Team, *, at: datetime = NOW, data: bytes = AGENT, filename: str = "mine.py"
    ) -> Submission:
        by = team.users.order_by("pk")[0]
        return accept(team=team, by=by, filename=filename, data=data, at=at)

    return upload


@pytest.fixture
def ready(upload: Callable[..., Submission]) -> Callable[..., Submission]:
    """Have a team upload something and play its smoke test; practice is left waiting."""

    def ready(team: Team, *, at: datetime = NOW) -> Submission:
        submission = upload(team, at=at)
        play(submission.evaluations.get(kind=Kind.SMOKE))
        submission.refresh_from_db()
        return submission

    return ready


@pytest.fixture
def submission(team: Team, upload: Callable[..., Submission]) -> Submission:
    """Ada's first upload, not tested yet."""
    return upload(team)


@pytest.fixture
def smoke(submission: Submission) -> Evaluation:
    """The smoke test of Ada's first upload."""
    return submission.evaluations.get(kind=Kind.SMOKE)


@pytest.fixture
def graded(ida: User, team: Team, ready: Callable[..., Submission]) -> Evaluation:
    """Ada's graded evaluation of 20 games in one batch, requested by Ida, not played yet."""
    ready(team)
    return grade_team(team=team, by=ida, at=NOW)
