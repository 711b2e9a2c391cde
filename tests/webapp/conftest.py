"""The cast: Ida teaches, Ada and Ben are her students, Vic only visits. And what they work with."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from pytest_django import Settings

from grader.core.games import GAMES
from tests.support import world as worlds
from tests.support.pages import signed_in
from tests.support.templates import copy_of
from tests.support.world import World
from tests.webapp.fakes import play
from webapp.base.celery import app
from webapp.flow.pipeline import accept
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import grade_team
from webapp.grading.jobs import recording
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role, Team
from webapp.teaching.courses.services import create_assignment, create_course, team_for

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
"""Noon of an ordinary day; the assignment is due a week later."""

# These tests need the package in deploy/games: test_added_games.py runs them with it.
collect_ignore = [] if "connect_four" in GAMES else ["added_game"]

_HERE: Final = "tests/webapp"
"""The folder whose fixtures these are, as pytest calls it."""

_STORES: Final = count()
NOWHERE: Final = "redis://127.0.0.1:1/0"
"""An address at which no broker listens: a test that needs a broker starts its own."""

AGENT = b"import firebox\n\n\nclass Mine(firebox.Agent):\n    pass\n"


@pytest.fixture(autouse=True)
def _site(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", NOWHERE)
    # A store of the test's own, which the first file makes: few tests have one.
    place = tmp_path_factory.getbasetemp()
    settings.STORE_URL = str(place / f"store{next(_STORES)}")
    settings.STATIC_ROOT = place / "static"
    settings.STATIC_ROOT.mkdir(exist_ok=True)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEASE_SECONDS = 60.0
    settings.QUEUE_CACHE_SECONDS = 0.0
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the games of ``fakes`` for true ones; a test of the check itself puts it back."""
    monkeypatch.setattr(recording, "check_result", lambda _: None)


@pytest.fixture
def redis_url(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(app.conf, "broker_url", redis_url)
    return redis_url


def person(name: str) -> User:
    return User.objects.create_user(f"{name.lower()}@uni.example", display_name=name)


@pytest.fixture
def world(db: None) -> World:
    """Ada and Ben are students of Ida's course, Cleo assists."""
    return copy_of(worlds.make)


@pytest.fixture
def operator(db: None) -> Client:
    """Olga, who runs the machines."""
    return signed_in(User.objects.create_superuser("olga@uni.example", display_name="Olga"))


STEPS: Final = ("assignment", "team", "submission", "graded")
"""Fixtures that stand for a world. Each follows from the one before; ``graded`` from ``team``."""

_MAKE_THEM: Final = {"ida", "course", "enrol", "ada", "assignment", "team", "upload", "ready"}
"""Fixtures by which the worlds are made, step by step."""

Cast: TypeAlias = dict[str, Any]


def make_cast(step: str) -> Cast:
    ida = make_ida()
    course = make_course(ida)
    assignment = make_assignment(course, ida)
    cast = {"ida": ida, "course": course, "assignment": assignment}
    if step == "assignment":
        return cast
    ada = enrolled(course, "Ada")
    team = team_for(user=ada, assignment=assignment)
    cast |= {"ada": ada, "team": team}
    if step == "submission":
        cast["submission"] = uploaded(team)
    elif step == "graded":
        made_ready(uploaded(team))
        cast["graded"] = grade_team(team=team, by=ida, at=NOW)
    return cast


@pytest.fixture(autouse=True)
def cast(request: pytest.FixtureRequest, believed: None, _site: None) -> Cast:
    """A copy of ``make_cast``, before any other fixture writes something; empty without a use.

    Everything is made step by step on PostgreSQL, and if a module has fixtures of its own by these
    names.
    """
    fixtures = request.node._fixtureinfo.name2fixturedefs
    own = {name for name in _MAKE_THEM & fixtures.keys() if fixtures[name][-1].baseid != _HERE}
    steps = [step for step in STEPS if step in fixtures and fixtures[step][-1].baseid == _HERE]
    if own or not steps or connection.vendor != "sqlite":
        return {}
    request.getfixturevalue("db")
    return copy_of(make_cast, step=steps[-1])


@pytest.fixture
def ida(db: None, cast: Cast) -> User:
    return cast.get("ida") or make_ida()


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
    return person("Olga")


@pytest.fixture
def course(cast: Cast, ida: User) -> Course:
    """Ida's course, in Berlin."""
    return cast.get("course") or make_course(ida)


def make_course(ida: User) -> Course:
    return create_course(by=ida, title="Games", slug="games", timezone="Europe/Berlin")


@pytest.fixture
def enrol(course: Course) -> Callable[..., User]:
    return partial(enrolled, course)


def enrolled(course: Course, name: str, role: Role = Role.STUDENT) -> User:
    user = person(name)
    Enrolment.objects.create(course=course, user=user, role=role)
    return user


@pytest.fixture
def ada(cast: Cast, enrol: Callable[..., User]) -> User:
    """A student."""
    return cast.get("ada") or enrol("Ada")


@pytest.fixture
def ben(enrol: Callable[..., User]) -> User:
    """Another student."""
    return enrol("Ben")


@pytest.fixture
def assignment(cast: Cast, course: Course, ida: User) -> Assignment:
    """Twenty graded games, due a week from now."""
    return cast.get("assignment") or make_assignment(course, ida)


def make_standard_assignment(course: Course, ida: User) -> Assignment:
    """Standard Hanabi for two, due a week from now."""
    options = {"variant": "standard", "players": 2}
    return another(course, ida, "hanabi", options=options, opens_at=NOW - timedelta(days=7))


def another(course: Course, by: User, slug: str = "second", **fields: Any) -> Assignment:
    """Another assignment of the course, open from NOW on for a week."""
    usual = {"title": slug.title(), "opens_at": NOW, "due_at": NOW + timedelta(days=7)}
    return create_assignment(course=course, by=by, slug=slug, **{**usual, **fields})


def make_assignment(course: Course, ida: User) -> Assignment:
    return another(
        course,
        ida,
        "hanabi",
        options={"variant": "gcc", "players": 2},
        n_games=20,
        practice_games=10,
        smoke_games=5,
        max_consecutive_faults=4,
        opens_at=NOW - timedelta(days=7),
        max_team_size=2,
        uploads_per_day=3,
    )


@pytest.fixture
def team(cast: Cast, assignment: Assignment, ada: User) -> Team:
    return cast.get("team") or team_for(user=ada, assignment=assignment)


@pytest.fixture
def upload() -> Callable[..., Submission]:
    return uploaded


def uploaded(
    team: Team, *, at: datetime = NOW, data: bytes | None = None, filename: str = "mine.py"
) -> Submission:
    if data is None:  # the same file again would be the same submission
        data = AGENT + b"# again\n" * team.submissions.count()
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
def submission(cast: Cast, team: Team, upload: Callable[..., Submission]) -> Submission:
    """Ada's first upload, not tested yet."""
    return cast.get("submission") or upload(team)


@pytest.fixture
def smoke(submission: Submission) -> Evaluation:
    return submission.evaluations.get(kind=Kind.SMOKE)


@pytest.fixture
def graded(cast: Cast, ida: User, team: Team, ready: Callable[..., Submission]) -> Evaluation:
    """Ada's graded evaluation of 20 games in one batch, requested by Ida, not played yet."""
    if "graded" in cast:
        return cast["graded"]
    ready(team)
    return grade_team(team=team, by=ida, at=NOW)
