"""The cast: Ida teaches, Ada and Ben are her students, Vic only visits. And what they work with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from tests.support.templates import copy_of
from tests.webapp.fakes import play
from webapp.accounts.models import User
from webapp.courses.models import Assignment, Course, Enrolment, Role, Team
from webapp.courses.services import create_assignment, create_course, team_for
from webapp.evaluations.models import Evaluation, Kind
from webapp.evaluations.services import grade_team
from webapp.jobs import recording
from webapp.pipeline import accept
from webapp.submissions.models import Submission

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
    settings.QUEUE_LOOK_SECONDS = 0.0
    settings.QUEUE_LOOK_SECONDS = 0.0
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the games of ``fakes`` for true ones; a test of the check itself puts it back."""
    monkeypatch.setattr(recording, "check_result", lambda _: None)


def person(name: str) -> User:
    """Somebody with an account."""
    return User.objects.create_user(f"{name.lower()}@uni.example", display_name=name)


@dataclass
class Cast:
    """Ida's course and Ada's team in it; ``graded`` once its evaluation was requested."""

    ida: User
    course: Course
    ada: User
    assignment: Assignment
    team: Team
    graded: Evaluation


def make_cast() -> Cast:
    """Make all that the fixture ``graded`` stands for."""
    ida = make_ida()
    course = make_course(ida)
    ada = enrolled(course, "Ada")
    assignment = make_assignment(course, ida)
    team = team_for(user=ada, assignment=assignment)
    made_ready(uploaded(team))
    graded = grade_team(team=team, by=ida, at=NOW)
    return Cast(ida, course, ada, assignment, team, graded)


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast | None:
    """A copy of ``make_cast``, for tests that ask for ``graded`` and change nothing before it.

    Other fixtures than those here might, unless they ask for ``graded`` themselves: then everything
    is made step by step.
    """
    if "graded" not in request.fixturenames:
        return None
    for definitions in request.node._fixtureinfo.name2fixturedefs.values():
        last = definitions[-1]
        if last.baseid.startswith("tests/webapp/") and "graded" not in last.argnames:
            return None
    return copy_of(make_cast)


@pytest.fixture
def ida(cast: Cast | None) -> User:
    """The instructor."""
    return cast.ida if cast else make_ida()


def make_ida() -> User:
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
def course(cast: Cast | None, ida: User) -> Course:
    """Ida's course, in Berlin."""
    return cast.course if cast else make_course(ida)


def make_course(ida: User) -> Course:
    return create_course(by=ida, title="Games", slug="games", timezone="Europe/Berlin")


@pytest.fixture
def enrol(course: Course) -> Callable[..., User]:
    """Make somebody and enrol them."""

    return partial(enrolled, course)


def enrolled(course: Course, name: str, role: Role = Role.STUDENT) -> User:
    user = person(name)
    Enrolment.objects.create(course=course, user=user, role=role)
    return user


@pytest.fixture
def ada(cast: Cast | None, enrol: Callable[..., User]) -> User:
    """A student."""
    return cast.ada if cast else enrol("Ada")


@pytest.fixture
def ben(enrol: Callable[..., User]) -> User:
    """Another student."""
    return enrol("Ben")


@pytest.fixture
def assignment(cast: Cast | None, course: Course, ida: User) -> Assignment:
    """Twenty graded games, due a week from now."""
    return cast.assignment if cast else make_assignment(course, ida)


def make_assignment(course: Course, ida: User) -> Assignment:
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
def team(cast: Cast | None, assignment: Assignment, ada: User) -> Team:
    """Ada's team."""
    return cast.team if cast else team_for(user=ada, assignment=assignment)


@pytest.fixture
def upload() -> Callable[..., Submission]:
    """Have a team upload something."""
    return uploaded


def uploaded(
    team: Team, *, at: datetime = NOW, data: bytes = AGENT, filename: str = "mine.py"
) -> Submission:
    by = team.users.order_by("pk")[0]
    return accept(team=team, by=by, filename=filename, data=data, at=at)


@pytest.fixture
def ready(upload: Callable[..., Submission]) -> Callable[..., Submission]:
    """Have a team upload something and play its smoke test; practice is left waiting."""

    def ready(team: Team, *, at: datetime = NOW) -> Submission:
        return made_ready(upload(team, at=at))

    return ready


def made_ready(submission: Submission) -> Submission:
    play(submission.evaluations.get(kind=Kind.SMOKE))
    submission.refresh_from_db()
    return submission


@pytest.fixture
def submission(team: Team, upload: Callable[..., Submission]) -> Submission:
    """Ada's first upload, not tested yet."""
    return upload(team)


@pytest.fixture
def smoke(submission: Submission) -> Evaluation:
    """The smoke test of Ada's first upload."""
    return submission.evaluations.get(kind=Kind.SMOKE)


@pytest.fixture
def graded(
    cast: Cast | None, ida: User, team: Team, ready: Callable[..., Submission]
) -> Evaluation:
    """Ada's graded evaluation of 20 games in one batch, requested by Ida, not played yet."""
    if cast:
        return cast.graded
    ready(team)
    return grade_team(team=team, by=ida, at=NOW)
