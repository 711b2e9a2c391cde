"""The form for uploads: what it takes, and what it refuses with which words."""

import os
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from tests.support.zips import zipped
from tests.webapp.pages.submitting import ASSIGNMENT, page_of, send
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Team

pytestmark = pytest.mark.django_db


def test_an_upload_leads_to_its_page(world: World) -> None:
    page = send(signed_in(world.ada))
    assert "Submission 1" in page
    assert "Waiting for a grader" in page


def test_hostile_file_names_are_shown_harmlessly(world: World) -> None:
    page = send(signed_in(world.ada), "<img src=x onerror=alert(1)>\u202eyp.py")
    assert "<img src=x" not in page
    assert "\u202e" not in page


def test_a_zip_may_be_large_by_what_no_agent_reads(world: World) -> None:
    page = send(signed_in(world.ada), "agent.zip", zipped(("agent.py", worlds.SOURCE), FILM))
    assert "not used: 'film.mp4' (2 MiB); no agent reads" in unescape(page)
    assert Submission.objects.get().size_bytes < 1 << 20


def test_staff_are_told_who_of_a_team_has_uploaded(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    assert "Uploaded by" in page_of(signed_in(world.ida), submission)
    assert "Uploaded by" not in page_of(signed_in(world.ada), submission)


def test_a_refused_upload_says_why_and_stores_nothing(world: World) -> None:
    page = send(signed_in(world.ada), "agent.zip", b"PK this is no archive")
    assert "This upload was not accepted. Nothing was stored." in page
    assert "agent.zip" in page
    assert not Submission.objects.exists()
    assert not Team.objects.exists()
    page = text_of(signed_in(world.ada).post(ASSIGNMENT + "upload/"))
    assert "Choose a file first." in page
    data = zipped(("agent.py", worlds.SOURCE), ("train.csv", FILM[1]))
    page = send(signed_in(world.ada), "agent.zip", data)
    assert "The largest files: 'train.csv' (2,097,152 bytes), 'agent.py'" in unescape(page)
    assert not Submission.objects.exists()


@pytest.mark.slow
def test_beyond_the_quota_nothing_is_taken(db: None) -> None:
    world = worlds.make(uploads_per_day=1)
    client = signed_in(world.ada)
    assert "1 of 1 upload left today" in text_of(client.get(ASSIGNMENT))
    send(client)
    page = send(client, data=worlds.SOURCE + b"# another")
    assert "has made its 1 upload for today" in page
    assert Submission.objects.count() == 1


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    world: World, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    page = send(signed_in(world.ada), data=b"x" * 1001)
    assert "at most 1000 are allowed" in page
    assert not Submission.objects.exists()


FILM: Final = ("film.mp4", os.urandom(2 << 20))


def test_a_request_larger_than_any_upload_is_turned_away_unread(
    client: Client, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    answer = client.post("/accounts/sign-in/", {"username": "x" * 70_000})
    assert answer.status_code == 413


def test_late_uploads_are_said_not_to_count(world: World) -> None:
    opens, due = "2020-01-01T00:00Z", "2020-02-01T00:00Z"
    type(world.assignment).objects.update(opens_at=opens, due_at=due)
    page = text_of(signed_in(world.ada).get(ASSIGNMENT))
    assert "does not count towards the grade" in page


def test_a_store_that_does_not_answer_is_said_and_stores_nothing(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    tmp_path.joinpath("full").write_text("a file where the store's directory should be")
    submission = worlds.upload(world, world.ada)
    settings.STORE_URL = str(tmp_path / "full")
    client = signed_in(world.ada)
    assert "Storage is unavailable" in send(client)
    assert Submission.objects.count() == 1
    response = client.get(f"/submissions/{submission.pk}/archive/")
    assert response.status_code == 503
    assert "Storage is unavailable" in text_of(response)


def test_an_expired_session_during_an_upload_leads_back_to_the_form(world: World) -> None:
    client = Client()
    address = "/courses/coop/assignments/hanabi/upload/"
    sent = client.post(address, {"file": SimpleUploadedFile("agent.py", b"x = 1\n")})
    client.force_login(world.ada)
    page = client.get(parse_qs(urlsplit(sent.headers["Location"]).query)["next"][0], follow=True)
    assert page.request["PATH_INFO"] == "/courses/coop/assignments/hanabi/"
    assert "You had been signed out, and nothing was sent." in text_of(page)
    assert not Submission.objects.exists()
