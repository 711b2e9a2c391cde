"""What pages cost in a course of 1,000 teams × 10 uploads: queries, processor time, size.

Requests are answered in one process that has nothing else to do. Time spent in SQLite is counted;
of PostgreSQL only the client's:
``python -m tests.support.postgres_server .venv/bin/python -m tests.bench pages``.
"""

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.harness import Measurement
from tests.support.own_site import site_settings
from tests.support.redis_server import RedisServer

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from tests.support.crowd import Crowd

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and who looks at it."""

    name: str
    client: "Client"
    address: str
    headers: dict[str, str] = field(default_factory=dict)
    is_act: bool = False
    """Changes something, and so is asked for once."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--submissions", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=[""], help="pages whose names contain a word")


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Make the course, and yield one for each page."""
    with tempfile.TemporaryDirectory() as name, RedisServer(Path(name)).running() as broker:
        crowd = _prepare(Path(name), broker.url, asked.teams, asked.submissions)
        for page in _pages(crowd):
            if any(word in page.name for word in asked.only):
                yield _measurement(page, asked.rounds)


def _prepare(directory: Path, broker_url: str, teams: int, submissions: int) -> "Crowd":
    os.environ |= site_settings(directory, broker_url, log_level="ERROR")
    import django

    django.setup()
    logging.disable(logging.WARNING)  # pages that an earlier version does not have
    from django.conf import settings
    from django.core.management import call_command

    from tests.support.crowd import make_crowd
    from tests.support.staff_work import add_staff_work

    Path(settings.STATIC_ROOT).mkdir()
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    call_command("migrate", verbosity=0)
    begun = time.monotonic()
    crowd = make_crowd(teams=teams, submissions=submissions)
    add_staff_work(crowd, acts=20)
    took = time.monotonic() - begun
    print(f"{teams} teams × {submissions} uploads, made in {took:.1f} s", file=sys.stderr)
    return crowd


def _pages(crowd: "Crowd") -> Iterator[Page]:
    """Yield the pages in their order; what is under way when one is asked for is made before it."""
    from django.test import Client

    from tests.support.crowd import queue_evaluations

    staff, student = Client(), Client()
    staff.force_login(crowd.instructor, _BACKEND)
    student.force_login(crowd.students[-1], _BACKEND)
    base = f"/courses/{crowd.course.slug}/assignments/{crowd.assignment.slug}/"
    yield Page("home, student", student, "/")
    yield Page("assignment, student", student, base)
    yield Page("assignment, staff", staff, base)
    yield Page("leaderboard, student", student, base + "leaderboard/")
    yield Page("leaderboard, staff", staff, base + "leaderboard/")
    yield Page("teams, staff", staff, base + "teams/")
    yield Page("teams, last page", staff, base + "teams/?page=20")
    yield Page("confirm grading all", staff, base + "grade/confirm/")
    yield Page("grades", staff, base + "grades/")
    yield Page("grades.csv", staff, base + "grades.csv")
    yield Page("release grades", staff, base + "grades/release/")
    place = crowd.course.enrolments.get(user=crowd.students[-1])
    yield Page("grade of a student", staff, f"{base}grades/{place.pk}/")
    yield Page("my grade, student", student, base + "my-grade/")
    course = f"/courses/{crowd.course.slug}/"
    yield Page("my grades, student", student, course + "my-grades/")
    yield Page("course, staff", staff, course)
    yield Page("similar sources", staff, base + "similarity/")
    yield Page("learning platforms", staff, course + "platforms/")
    yield Page("points to platforms", staff, base + "platforms/")
    yield Page("gradebook of the course", staff, f"/courses/{crowd.course.slug}/grades/")
    yield Page("gradebook for Canvas", staff, f"/courses/{crowd.course.slug}/grades/canvas/")
    yield Page("regrade requests", staff, f"/courses/{crowd.course.slug}/regrades/")
    yield Page("people", staff, f"/courses/{crowd.course.slug}/people/")
    yield Page("people, search", staff, f"/courses/{crowd.course.slug}/people/?q=0777")
    yield Page("one person", staff, f"{course}people/{place.pk}/")
    yield Page("dates of a student, staff", staff, f"{base}dates/{place.pk}/")
    yield Page("dates, student", student, base + "dates/")
    yield Page("dates of sections", staff, base + "sections/")
    yield Page("import of people", staff, course + "people/import/")
    yield Page("more time for all", staff, f"{base}teams/extensions/?{_every_team(crowd)}")
    yield Page("announcements", staff, course + "announcements/")
    yield Page("life of the course", staff, course + "life/")
    yield Page("audit log", staff, f"/courses/{crowd.course.slug}/log/")
    yield Page("audit log, search", staff, f"/courses/{crowd.course.slug}/log/?q=0777")
    yield Page("audit log, last page", staff, f"/courses/{crowd.course.slug}/log/?page=400")
    for playing in (False, True):
        teams = crowd.teams[:10] if playing else crowd.teams[10:]
        watched = queue_evaluations(crowd, teams, playing=playing)[-1]
        state = "playing" if playing else "queued"
        client = Client()
        client.force_login(watched.submission.uploaded_by, _BACKEND)
        yield from _watching(client, f"/submissions/{watched.submission_id}/live/", state)
    yield from _watching(staff, base + "teams/live/", "teams")
    yield Page("grade all, answer", staff, base + "grade/", is_act=True)


def _every_team(crowd: "Crowd") -> str:
    return "&".join(f"team={team.pk}" for team in crowd.teams[:50])


def _watching(client: "Client", address: str, what: str) -> Iterator[Page]:
    yield Page(f"live part, {what}", client, address)
    tag = client.get(address).headers.get("ETag", "")
    yield Page(f"live part unchanged, {what}", client, address, {"If-None-Match": tag})


def _measurement(page: Page, requests: int) -> Measurement:
    """Return the cost of a page. Its queries are counted in a request of their own before.

    A page that this version does not have costs nothing.
    """
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    if page.is_act:
        return Measurement(page.name, lambda: _cost(page), rounds=1)
    with CaptureQueriesContext(connection) as queries:
        _ask(page)
    asked = len(queries)

    def take() -> Mapping[str, float]:
        cost = _cost(page)
        return cost and {"queries": asked, **cost}

    return Measurement(page.name, take, rounds=requests)


def _cost(page: Page) -> dict[str, float]:
    began, used = time.monotonic(), time.process_time()
    response = _ask(page)
    used, took = time.process_time() - used, time.monotonic() - began
    if response.status_code == HTTPStatus.NOT_FOUND:
        return {}
    kilobytes = len(response.content) / 1000
    return {"CPU ms": used * 1000, "kB": kilobytes, **({"s to wait": took} if page.is_act else {})}


def _ask(page: Page) -> "HttpResponse":
    ask = page.client.post if page.is_act else page.client.get
    return ask(page.address, headers=page.headers)
