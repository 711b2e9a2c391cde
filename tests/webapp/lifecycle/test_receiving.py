"""A course file that is sent on a page is imported by the background worker, with its progress."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from tests.support.world import World
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.lifecycle import receiving
from webapp.flow.lifecycle.models import CourseImport, ImportPart, RetentionStage
from webapp.flow.lifecycle.receiving import go_on_importing, start_import
from webapp.flow.lifecycle.services import importing
from webapp.flow.lifecycle.services.importing import import_course
from webapp.teaching.courses.models import Course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_a_file_waits_and_is_imported_by_the_worker(file: BytesIO, over: World) -> None:
    row = start_import(file=file, by=over.ida, slug="again")
    assert (row.stage, ImportPart.objects.count() > 0) == (RetentionStage.QUEUED, True)
    assert not Course.objects.filter(slug="again").exists()
    assert go_on_importing(at=timezone.now()) == 0
    row.refresh_from_db()
    assert row.is_done
    assert row.answer.startswith("Imported, and archived: 2 grades derived again")
    assert Course.objects.filter(slug="again").exists()
    assert not ImportPart.objects.exists()


def test_a_forged_file_is_refused_by_the_worker_with_words(file: BytesIO, over: World) -> None:
    row = start_import(file=file, by=over.ida, slug="again")
    Course.objects.filter(pk=over.course.pk).update(slug="again")
    go_on_importing(at=timezone.now())
    row.refresh_from_db()
    assert (row.stage, row.is_over) == (RetentionStage.REFUSED, True)
    assert row.answer.startswith("The short name cannot be used")
    assert not ImportPart.objects.exists()


def test_its_progress_is_noted_by_stage(
    file: BytesIO, over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "_NOTED", 10)
    notes: list[tuple[RetentionStage, int]] = []
    import_course(
        file=file, by=over.ida, slug="again", note=lambda stage, done: notes.append((stage, done))
    )
    stages = list(dict.fromkeys(stage for stage, _ in notes))
    assert stages == [RetentionStage.READING, RetentionStage.CHECKING, RetentionStage.WRITING]
    reading = [done for stage, done in notes if stage == RetentionStage.READING]
    assert len(reading) > 3
    assert reading == sorted(reading)


def test_one_file_of_a_person_at_a_time(file: BytesIO, over: World) -> None:
    start_import(file=file, by=over.ida, slug="again")
    with pytest.raises(Refused, match="Another file of yours"):
        start_import(file=file, by=over.ida, slug="third")


def test_what_is_no_course_file_is_refused_at_once(file: BytesIO, over: World) -> None:
    with pytest.raises(Refused, match="not a readable zip"):
        start_import(file=BytesIO(b"PK?"), by=over.ida, slug="again")
    with pytest.raises(Refused, match="short name"):
        start_import(file=file, by=over.ida, slug="coop")
    with pytest.raises(NotAllowed):
        start_import(file=file, by=over.ada, slug="again")
    assert not CourseImport.objects.exists()


def test_a_worker_that_died_is_followed_by_one_other(file: BytesIO, over: World) -> None:
    row, now = start_import(file=file, by=over.ida, slug="again"), timezone.now()
    rows = CourseImport.objects.filter(pk=row.pk)
    rows.update(stage=RetentionStage.WRITING, attempts=1, touched_at=now)
    assert go_on_importing(at=now + timedelta(minutes=9)) == 1
    rows.update(attempts=2)
    assert go_on_importing(at=now + timedelta(minutes=11)) == 0
    row.refresh_from_db()
    assert (row.stage, "failed on our side" in row.answer) == (RetentionStage.REFUSED, True)


def test_an_error_of_ours_is_told_and_stops_no_other_file(
    file: BytesIO, over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("a mistake in the program")

    row = start_import(file=file, by=over.ida, slug="again")
    monkeypatch.setattr(receiving, "import_course", broken)
    assert go_on_importing(at=timezone.now()) == 0
    row.refresh_from_db()
    assert "failed on our side" in row.answer
