"""Pages on the life of a course: what they show, take, and refuse."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from grader.results.course_check import CourseReport
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.flow.lifecycle.receiving import go_on_importing, words_of
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.flow.lifecycle.services.importing import Imported
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.django_db

LIFE = "/courses/coop/life/"
COPY = {
    "title": "Again",
    "slug": "again",
    "term": "",
    "begins": "2027-04-12",
    "parts": ["sections", "scheme"],
}
READABLE = [
    *("/courses/coop/", "/courses/coop/people/", "/courses/coop/log/", LIFE),
    *(
        f"/courses/coop/assignments/hanabi/{page}"
        for page in ("", "dates/", "leaderboard/", "teams/", "grades/", "grades.csv")
    ),
]
"""Pages that staff read in an archived course as before."""


@pytest.fixture
def archived(world: World) -> World:
    archive_course(course=world.course, by=world.ida)
    return world


def test_pages_of_an_archived_course_stay_readable_and_its_forms_say_so(
    practised: Submission, archived: World
) -> None:
    pages = [*READABLE, f"/submissions/{practised.pk}/"]
    ida = signed_in(archived.ida)
    assert {page: ida.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
    page = text_of(signed_in(archived.ada).get("/courses/coop/assignments/hanabi/"))
    assert "Archived" in page
    assert "uploads are closed" in page
    assert "New assignment" not in text_of(ida.get("/courses/coop/"))
    page = signed_in(archived.ida).get("/courses/coop/edit/")
    assert page.status_code == 409
    assert "This course is archived" in text_of(page)


def test_a_copy_is_shown_before_it_is_made(world: World) -> None:
    ida = signed_in(world.ida)
    page = ida.post(f"{LIFE}copy/", {**COPY, "preview": "1"})
    assert "Dates of the copy" in text_of(page)
    for begins in ("9999-12-27", "0001-01-01"):
        refused = ida.post(f"{LIFE}copy/", {**COPY, "begins": begins})
        assert "Choose a date from 2000 to 2099." in text_of(refused)
    assert not Course.objects.filter(slug="again").exists()
    assert ida.post(f"{LIFE}copy/", COPY).status_code == 302
    assert Course.objects.get(slug="again").assignments.count() == 1
    values = {**COPY, "to": str(world.course.pk)}
    page = signed_in(world.ida).post("/courses/coop/assignments/hanabi/copy/", values, follow=True)
    assert page.request["PATH_INFO"] == "/courses/coop/assignments/again/"


def test_an_import_of_one_of_each_is_told_in_the_singular(world: World) -> None:
    report = CourseReport(title="", rows=1, games=1, grades=1, without_games=0, findings=())
    words = words_of(Imported(course=world.course, report=report, joined=1, created=1, withdrawn=1))
    assert "1 grade derived again from 1 game, 1 person joined, 1 account created." in words
    assert "1 person withdrawn, because" in words


def test_a_course_is_exported_and_comes_in_again(archived: World) -> None:
    ida = signed_in(archived.ida)
    response = ida.get(f"{LIFE}export/")
    assert response["Content-Disposition"] == 'attachment; filename="coop.firebox.zip"'
    data = b"".join(response.streaming_content)
    file = SimpleUploadedFile("coop.firebox.zip", data)
    page = ida.post("/import-course/", {"file": file, "slug": "again"}, follow=True)
    assert "waits for the background worker" in text_of(page)
    go_on_importing(at=timezone.now())
    assert "Imported, and archived" in text_of(ida.get("/import-course/"))
    torn = SimpleUploadedFile("coop.firebox.zip", data[:500])
    page = ida.post("/import-course/", {"file": torn, "slug": "third"})
    assert "This file cannot be imported" in text_of(page)


def test_an_open_course_is_not_exported(world: World) -> None:
    page = signed_in(world.ida).get(f"{LIFE}export/", follow=True)
    assert "Archive the course first" in text_of(page)
    ida = signed_in(world.ida)
    page = ida.post(f"{LIFE}archive/", {"reason": "Over"}, follow=True)
    assert "The course is archived" in text_of(page)
    assert "is archived already" in text_of(ida.post(f"{LIFE}archive/", follow=True))
    assert "is no longer archived" in text_of(ida.post(f"{LIFE}reopen/", follow=True))


def test_files_are_bounded_by_size_and_only_makers_of_courses_send_any(
    world: World, settings: Settings
) -> None:
    settings.MAX_IMPORT_BYTES = 1000
    file = BytesIO(b"x" * 100_000)
    answer = signed_in(world.ida).post("/import-course/", {"file": file, "slug": "x"})
    assert answer.status_code == 413
    assert signed_in(world.ada).get("/import-course/").status_code == 403


def test_days_are_saved_and_impossible_ones_explained(archived: World) -> None:
    ida = signed_in(archived.ida)
    days = {"sources_days": "", "records_days": "365", "prints_days": "30", "logs_days": "30"}
    assert "Retention periods saved" in text_of(ida.post(f"{LIFE}retention/", days, follow=True))
    page = ida.post(f"{LIFE}retention/", {**days, "prints_days": "-1"})
    assert page.status_code == 422
    assert "greater than or equal to 0" in text_of(page)


def test_deleting_asks_for_the_short_name(archived: World) -> None:
    ida = signed_in(archived.ida)
    page = ida.post(f"{LIFE}delete/", {"slug": "x", "reason": "Over"})
    assert "short name, coop" in text_of(page)
    page = ida.post(f"{LIFE}delete/", {"slug": "coop", "reason": "Over"}, follow=True)
    assert "The course was deleted" in text_of(page)
    assert ida.get("/courses/coop/").status_code == 404


def test_an_operator_finds_and_deletes_a_person(world: World) -> None:
    opal = signed_in(User.objects.create_superuser("op@example.org", display_name="Opal"))
    assert "No account has this address" in text_of(
        opal.get("/operations/people/?email=x@example.org")
    )
    page = opal.get("/operations/people/?email=ada@example.org", follow=True)
    assert "Delete Ada Lovelace?" in text_of(page)
    address = page.request["PATH_INFO"]
    values = {"email": "ada@example.org", "reason": "Asked"}
    assert "The person was deleted" in text_of(opal.post(address, values, follow=True))
    assert signed_in(world.ida).get(address).status_code == 403


def test_the_page_takes_as_many_queries_however_much_there_is(world: World) -> None:
    ida = signed_in(world.ida)
    with CaptureQueriesContext(connection) as few:
        ida.get(LIFE)
    worlds.submit_and_practise(world, world.ben)
    with CaptureQueriesContext(connection) as many:
        ida.get(LIFE)
    assert len(many) == len(few) < 30
