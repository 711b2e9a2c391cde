"""Write everything of a course into one file (``grader.uploads.course_file``).

The file has the secrets of deals, and names and addresses of everybody in the course. No passwords,
no access tokens.
"""

from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from typing import IO, Any, Final

from django.db import models

from grader.uploads.course_file import CourseFileWriter, Manifest
from webapp.base.artefacts import store
from webapp.base.errors import Refused
from webapp.flow.lifecycle.rows import encoded_rows
from webapp.flow.lifecycle.tables import course_tables
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course

_AT_ONCE: Final = 2000


def write_course(course: Course, file: IO[bytes], *, at: datetime) -> Manifest:
    """Write the course into a file that is open for writing, and can be sought in.

    Raises Refused unless it is archived, and if it changed meanwhile; SystemFault if the store
    fails, or misses a program.
    """
    if course.archived_at is None:
        raise Refused("Archive the course first: then nothing changes while the file is written.")
    before = _state(course)
    writer = CourseFileWriter(file)
    writer.add_rows("people.jsonl", _people(course))
    for table in course_tables():
        if table.is_exported:
            writer.add_rows(
                f"rows/{table.label}.jsonl", encoded_rows(table, table.exported_rows_of(course))
            )
    for sha256 in _artefacts(course):
        writer.add_artefact(sha256, store().get(sha256))
    writer.add_rows("audit-log.jsonl", _acts(course))
    if _state(course) != before:
        raise Refused("The course changed while its file was written. Write it again.")
    return writer.close(
        made_at=at.isoformat(), made_by=version("firebox"), course=course.slug, title=str(course)
    )


def count_games(course: Course) -> int:
    """Return the number of games of the course, which determines the size of its file."""
    return sum(table.rows_of(course).count() for table in course_tables() if table.has_games)


def _state(course: Course) -> tuple[Any, ...]:
    there = Course.objects.filter(pk=course.pk, deleted_at__isnull=True)
    archived_at = there.values_list("archived_at", flat=True).first()
    return archived_at, count_games(course), len(_artefacts(course))


def _people(course: Course) -> Iterator[dict[str, Any]]:
    keys: set[int] = set()
    for table in course_tables():
        for column in table.columns:
            if column.related_model is User and table.is_exported:
                named = table.exported_rows_of(course).exclude(**{column.name: None})
                keys |= set(named.values_list(column.attname, flat=True).distinct())
    for start in range(0, len(keys), _AT_ONCE):
        part = sorted(keys)[start : start + _AT_ONCE]
        for user in User.objects.filter(pk__in=part).order_by("pk"):
            yield {"id": user.pk, "email": user.email, "name": user.display_name}


def _artefacts(course: Course) -> list[str]:
    kept = Submission.objects.filter(team__assignment__course=course).with_sources()
    return sorted(set(kept.values_list("sha256", flat=True)))


def _acts(course: Course) -> Iterator[dict[str, Any]]:
    names = ("at", "kind", "by", "person", "team", "thing", "before", "after", "reason")
    acts: models.QuerySet[Act] = Act.objects.filter(course=course.pk).order_by("pk")
    for values in acts.values(*names).iterator(_AT_ONCE):
        yield values | {"at": values["at"].isoformat()}
