"""An upload after an expired session: kept for its owner alone, for an hour."""

import os
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.support.pages import signed_in, text_of
from tests.support.world import SOURCE, World
from tests.support.zips import zipped
from webapp.grading.submissions.models import KeptUpload, Submission
from webapp.grading.submissions.services import keeping

pytestmark = pytest.mark.django_db

PAGE = "/courses/coop/assignments/hanabi/"


def sent(client: Client, sender: str, data: bytes = SOURCE, *, name: str = "agent.py") -> str:
    """Send the form without a session, and return the page that answers."""
    file = SimpleUploadedFile(name, data)
    response = client.post(PAGE + "upload/", {"sender": sender, "file": file}, follow=True)
    assert response.request["PATH_INFO"] == "/accounts/sign-in/"
    assert unquote(response.request["QUERY_STRING"]) == f"next={PAGE}"
    return text_of(response)


def test_the_file_is_kept_and_sent_after_signing_in_again(world: World) -> None:
    client = signed_in(world.ada)
    page = text_of(client.get(PAGE))
    sender = page.partition('name="sender" value="')[2].partition('"')[0]
    client.logout()
    assert "Your file is kept for an hour" in sent(client, sender)
    assert not Submission.objects.exists()
    client.force_login(world.ada)
    page = text_of(client.get(PAGE))
    assert "which you sent" in page
    response = client.post(PAGE + "upload/", {"kept": "yes", "interface": "", "agent_class": ""})
    assert response.status_code == 302
    assert Submission.objects.get().filename == "agent.py"
    assert not KeptUpload.objects.exists()


def test_a_kept_upload_is_hidden_from_others_and_can_be_discarded(world: World) -> None:
    sent(Client(), keeping.form_token(world.ada, world.assignment))
    assert "which you sent" not in text_of(signed_in(world.ben).get(PAGE))
    refused = signed_in(world.ben).post(PAGE + "upload/", {"kept": "yes"})
    assert "Choose a file first." in text_of(refused)
    question = signed_in(world.ada).post(PAGE + "upload/", {"kept": "yes", "discard": "yes"})
    assert "Discard the file that is kept for you?" in text_of(question)
    assert KeptUpload.objects.exists()
    signed_in(world.ada).post(PAGE + "upload/", {"discard": "yes", "sure": "yes"})
    assert not KeptUpload.objects.exists()
    assert not Submission.objects.exists()


@pytest.mark.parametrize("sender", ["", "x", "WzEsIDFd:1abcde:forged"])
def test_nothing_is_kept_for_strangers(sender: str, world: World) -> None:
    assert "nothing was sent" in sent(Client(), sender)
    assert not KeptUpload.objects.exists()


def test_size_number_and_time_are_bounded(
    world: World, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = (keeping.form_token(user, world.assignment) for user in (world.ada, world.ben))
    settings.MAX_UPLOAD_BYTES = len(SOURCE)
    assert "nothing was sent" in sent(Client(), ada, SOURCE + b"#")
    monkeypatch.setattr(keeping, "MAX_KEPT", 1)
    assert "is kept" in sent(Client(), ada)
    assert "is kept" in sent(Client(), ada, b"again = 1\n")
    assert "nothing was sent" in sent(Client(), ben)
    assert bytes(KeptUpload.objects.get().data) == b"again = 1\n"
    later = timezone.now() + keeping.KEPT_FOR + timedelta(seconds=1)
    assert keeping.kept_upload(world.ada, world.assignment, at=later) is None
    assert keeping.forget_old(at=later) == 1


def test_of_a_large_zip_only_what_an_agent_may_read_is_kept(world: World) -> None:
    sender = keeping.form_token(world.ada, world.assignment)
    data = zipped(("agent.py", SOURCE), ("film.mp4", os.urandom(2 << 20)))
    assert "is kept" in sent(Client(), sender, data, name="agent.zip")
    assert len(KeptUpload.objects.get().data) < 1000
    too_large = zipped(("agent.py", SOURCE), ("train.csv", os.urandom(2 << 20)))
    assert "nothing was sent" in sent(Client(), sender, too_large, name="agent.zip")


def test_a_request_that_is_too_large_gets_a_page_with_a_way_back(settings: Settings) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    response = Client().post("/join/", {"invite_code": "x" * (80 << 10)})
    assert response.status_code == 413
    assert 'href="/"' in text_of(response)
