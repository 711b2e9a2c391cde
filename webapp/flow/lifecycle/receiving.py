"""Takes in course files in the background: a page keeps the file, and a worker imports it.

Reading a file may take minutes, and its author is not trusted: no web thread does it.
"""

import logging
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import IO, Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.words import counted
from grader.uploads.course_file import CourseFile, FileLimits
from webapp.base.errors import Refused, SiteError
from webapp.flow.lifecycle.models import CourseImport, ImportPart, RetentionStage
from webapp.flow.lifecycle.services.importing import Imported, import_course, refuse_taken
from webapp.people.accounts.models import User
from webapp.teaching.courses.permissions import require_course_maker

logger = logging.getLogger(__name__)

_PART_BYTES: Final = 1 << 20
_IN_MEMORY: Final = 8 << 20
"""A larger file is written to the disk."""
_ROW_BYTES: Final = 32
"""Packed, a row has more. Reading a million of them takes a quarter of an hour."""
_SILENT: Final = timedelta(minutes=10)
"""After as long without a sign, a worker is taken for dead; the longest step is the writing."""
_ATTEMPTS: Final = 2
_OURS: Final = (
    "The import failed on our side, and nothing was written. Try again; if it fails again, tell the"
    " operator of this site."
)


# See webapp/decisions/course-imports.md
def start_import(
    *, file: IO[bytes], by: User, slug: str, at: datetime | None = None
) -> CourseImport:
    """Keep a course file for the background worker, which imports it under a short name.

    Raises NotAllowed unless ``by`` may create courses; Refused for a file that is no course file,
    for a short name that is taken, and while another file of theirs is being imported.
    """
    require_course_maker(by)
    refuse_taken(slug)
    now, rows = at or timezone.now(), _rows_of(file)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # two clicks at once
        if CourseImport.objects.under_way().filter(requested_by=by).exists():
            raise Refused("Another file of yours is being imported. Wait until this has finished.")
        row = CourseImport.objects.create(
            requested_by=by, requested_at=now, slug=slug, rows=rows, touched_at=now
        )
        for number, data in enumerate(_parts(file)):
            ImportPart.objects.create(course_import=row, number=number, data=data)
    return row


def _limits() -> FileLimits:
    most = settings.MAX_IMPORT_BYTES
    return FileLimits(
        packed_bytes=most, unpacked_bytes=20 * most, entries=20_000, rows=most // _ROW_BYTES
    )


def _rows_of(file: IO[bytes]) -> int:
    """Return the number of rows that a file lists. Reads no more than its table of contents."""
    try:
        n_rows = CourseFile(file, _limits()).n_rows
    except RecordError as error:
        raise Refused(f"This file cannot be imported: {str(error).rstrip('.')}.") from error
    return min(max(0, n_rows), (1 << 31) - 1)


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while data := file.read(_PART_BYTES):
        yield data


def go_on_importing(*, at: datetime) -> int:
    """Import the file that has waited longest, if any; return how many wait behind it."""
    is_free = Q(stage=RetentionStage.QUEUED) | Q(touched_at__lt=at - _SILENT)
    row = CourseImport.objects.under_way().filter(is_free).order_by("pk").first()
    if row is not None and _is_ours(row, at):
        _end(row, *_outcome(row))
    return CourseImport.objects.under_way().count()


def _is_ours(row: CourseImport, at: datetime) -> bool:
    mine = CourseImport.objects.filter(pk=row.pk, attempts=row.attempts)
    if row.attempts >= _ATTEMPTS:
        _end(row, RetentionStage.REFUSED, _OURS)
        return False
    stage = RetentionStage.READING
    return bool(mine.update(stage=stage, done=0, attempts=F("attempts") + 1, touched_at=at))


def _outcome(row: CourseImport) -> tuple[RetentionStage, str]:
    def note(stage: RetentionStage, done: int) -> None:
        rows = CourseImport.objects.filter(pk=row.pk)
        rows.update(stage=stage, done=done, touched_at=timezone.now())

    try:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            for data in row.parts.values_list("data", flat=True).iterator(1):
                file.write(bytes(data))
            imported = import_course(
                file=file, by=row.requested_by, slug=row.slug, limits=_limits(), note=note
            )
    except SiteError as error:
        return RetentionStage.REFUSED, str(error)
    except (OperationalError, InterfaceError):
        raise  # the database is busy or away: another attempt follows
    except Exception:
        logger.exception("%s failed", row)
        return RetentionStage.REFUSED, _OURS
    return RetentionStage.DONE, words_of(imported)


@transaction.atomic
def _end(row: CourseImport, stage: RetentionStage, answer: str) -> None:
    CourseImport.objects.filter(pk=row.pk).update(
        stage=stage, answer=answer, touched_at=timezone.now()
    )
    row.parts.all().delete()


def words_of(imported: Imported) -> str:
    """Return what came in, in a sentence or two."""
    report = imported.report
    words = (
        f"Imported, and archived: {counted(report.grades, 'grade')} derived again from"
        f" {counted(report.games, 'game')}, {counted(imported.joined, 'person', 'people')} joined,"
        f" {counted(imported.created, 'account')} created."
    )
    if report.without_games:
        words += (
            f" {counted(report.without_games, 'grade')} could not be derived again, because their"
            " games were removed: compare them with your own list."
        )
    if imported.withdrawn:
        words += (
            f" {counted(imported.withdrawn, 'person', 'people')} withdrawn, because nobody has"
            " confirmed the address of their account. Enrol them again on the page of people."
        )
    return words
