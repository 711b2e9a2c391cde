"""``demo_course``: a course to try the site with. Run it as often as you like.

Its accounts have a published password: never on a site that others can reach.
"""

import base64
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final
from urllib.parse import urlsplit
from zipfile import ZipFile

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import models
from django.utils import timezone
from django.utils.text import slugify

from grader.uploads.course_file import CourseFile
from webapp.base.artefacts import stored_house_agent
from webapp.contests.ladders.models import Ladder, LadderEntry
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.lifecycle.tables import course_tables
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course

SLUG: Final = "demo"
ASSIGNMENT: Final = "cooperative-agent"
PEOPLE: Final = (("Ida", "instructor"), ("Ada", "student"), ("Ben", "student"))
"""People whose password is published, and their roles in the course."""


class Command(BaseCommand):
    help = "Import the demo's course, in its second week today, unless it exists."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the course file that `make demo-course` made")
        parser.add_argument("--password", default="play-hanabi-together", help="of its people")

    def handle(self, *_: Any, **options: Any) -> None:
        if not (settings.DEBUG or is_loopback(settings.SITE_URL)):
            raise CommandError(
                f"{settings.SITE_URL} is a real site: the demo's accounts have a password that"
                " everybody can read. Try it on a machine of your own."
            )
        people = [(account(name, options["password"]), role) for name, role in PEOPLE]
        course = Course.objects.filter(slug=SLUG).first()
        course = course or imported_course(options["file"], people[0][0])
        for user, role in people:
            self.stdout.write(f"{user.email}  {options['password']}  ({role})")
        self.stdout.write(f"invite code: {course.invite_code}")


def is_loopback(url: str) -> bool:
    """Return whether the address is of this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def account(name: str, password: str | None = None) -> User:
    """Return the person of that name at demo.example, with this password from now on."""
    email = f"{slugify(name)}@demo.example"
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, display_name=name)
    user.may_create_courses = name == "Ida"
    user.set_password(password)
    user.save()
    confirm_address(user)
    return user


def imported_course(path: Path, ida: User) -> Course:
    """Import the course, and let it go on from today."""
    with TemporaryFile() as file:
        unpack(path, file)
        made_at = datetime.fromisoformat(CourseFile(file).manifest.made_at)
        course = import_course(file=file, by=ida, slug=SLUG).course
    days = (timezone.now() - made_at) // timedelta(days=1)
    move_dates(course, lambda at: later(course, at, days=days))
    unarchive_course(course=course, by=ida)
    reopen_ladder(course)
    course.refresh_from_db()
    return course


def unpack(path: Path, file: IO[bytes]) -> None:
    """Write the course file unpacked, as an import reads each entry several times."""
    with ZipFile(path) as packed, ZipFile(file, "w") as plain:
        for name in packed.namelist():
            plain.writestr(name, with_games(name, packed.read(name), as_exported))


def with_games(name: str, data: bytes, written: Callable[[str], str]) -> bytes:
    """Return an entry of a course file with each row's game written otherwise."""
    if not (name.startswith("rows/") and b'"packed":' in data):
        return data
    rows = [msgspec.json.decode(line) for line in data.splitlines()]
    for row in rows:
        row["packed"] = row["packed"] and written(row["packed"])
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def as_exported(text: str) -> str:
    """Return a game's JSON as a course file has it."""
    return base64.b64encode(zlib.compress(text.encode(), 0)).decode()


def later(course: Course, at: datetime, *, days: int) -> datetime:
    """Return the time some days later, at the same time on the course's clocks."""
    return (at.astimezone(course.tz) + timedelta(days=days)).astimezone(UTC)


def move_dates(course: Course, moved: Callable[[datetime], datetime]) -> None:
    """Change all times of a course's rows, but for those of courses that are over."""
    for table in course_tables():
        columns = [column for column in table.columns if isinstance(column, models.DateTimeField)]
        if not columns:
            continue
        names = [column.name for column in columns]
        rows = list(table.rows_of(course).only("pk", *names))
        for row in rows:
            for name in names:
                if (at := getattr(row, name)) is not None:
                    setattr(row, name, moved(at))
        # One statement changes all columns: due dates stay after openings.
        table.model._base_manager.bulk_update(rows, names, batch_size=100)


def reopen_ladder(course: Course) -> None:
    """Turn the ladder from closed, as it can be exported, to paused.

    Its house agents become those of this version: programs of others are not in course files.
    """
    ladders = Ladder.objects.filter(assignment__course=course)
    ladders.update(closed_at=None)
    for entry in LadderEntry.objects.filter(ladder__in=ladders).exclude(house_agent=""):
        entry.agent = msgspec.to_builtins(stored_house_agent(entry.house_agent))
        entry.save(update_fields=["agent"])
