"""``python -m tests.support.page_costs``: what pages cost in a course of 1,000 teams × 10 uploads.

Prints queries, processor time and size of a request, in one process that has nothing else to do.
Time spent in SQLite is counted; of PostgreSQL only the client's:
``python -m tests.support.postgres_server .venv/bin/python -m tests.support.page_costs``.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from tests.support.crowd import Crowd

_COLUMNS: Final = "{:<46} {:>4} {:>8} {:>9} {:>9} {:>8}"


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and who looks at it."""

    name: str
    client: "Client"
    address: str
    headers: dict[str, str] = field(default_factory=dict)


def main() -> None:
    """Make the course, ask for each page, print what it cost."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.page_costs", description=__doc__)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--submissions", type=int, default=10)
    parser.add_argument("--requests", type=int, default=9, help="of each page; the median counts")
    parser.add_argument("--only", default="", help="pages whose name contains this")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["FIREBOX_VAR_DIR"] = directory
        os.environ.setdefault("FIREBOX_LOG_LEVEL", "ERROR")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
        crowd = _prepare(Path(directory), arguments.teams, arguments.submissions)
        print(_COLUMNS.format("page", "code", "queries", "ms", "ms least", "kB"))
        for page in _pages(crowd):
            if arguments.only in page.name:
                _measure(page, arguments.requests)


def _prepare(directory: Path, teams: int, submissions: int) -> "Crowd":
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from tests.support.crowd import add_staff_work, make_crowd

    Path(settings.STATIC_ROOT).mkdir()
    settings.STORE_URL = str(directory / "store")
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    call_command("migrate", verbosity=0)
    begun = time.monotonic()
    crowd = make_crowd(teams=teams, submissions=submissions)
    add_staff_work(crowd, acts=20)
    print(f"{teams} teams × {submissions} uploads, made in {time.monotonic() - begun:.1f} s")
    return crowd


def _pages(crowd: "Crowd") -> Iterator[Page]:
    """Yield the pages in their order; what is under way when one is asked for is made before it."""
    from django.test import Client

    from tests.support.crowd import queue_evaluations

    staff, student = Client(), Client()
    staff.force_login(crowd.instructor)
    student.force_login(crowd.students[-1])
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
        client.force_login(watched.submission.uploaded_by)
        yield from _watching(client, f"/submissions/{watched.submission_id}/live/", state)
    yield from _watching(staff, base + "teams/live/", "teams")


def _every_team(crowd: "Crowd") -> str:
    """Return the query of a form in which all teams of the first page are chosen."""
    return "&".join(f"team={team.pk}" for team in crowd.teams[:50])


def _watching(client: "Client", address: str, what: str) -> Iterator[Page]:
    yield Page(f"live part, {what}", client, address)
    tag = client.get(address).headers.get("ETag", "")
    yield Page(f"live part unchanged, {what}", client, address, {"If-None-Match": tag})


def _measure(page: Page, requests: int) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        response = _ask(page)
    asked = len(queries)
    taken = []
    for _ in range(requests):
        begun = time.process_time()
        response = _ask(page)
        taken.append((time.process_time() - begun) * 1000)
    print(
        _COLUMNS.format(
            page.name,
            response.status_code,
            asked,
            f"{median(taken):.1f}",
            f"{min(taken):.1f}",
            f"{len(response.content) / 1000:.0f}",
        ),
        flush=True,
    )


def _ask(page: Page) -> "HttpResponse":
    return page.client.get(page.address, headers=page.headers)


if __name__ == "__main__":
    main()
