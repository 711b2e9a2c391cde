"""Uploads, and the page of a submission."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support import world as worlds
from tests.support.pages import text_of
from webapp.grading.submissions.models import Submission

ASSIGNMENT = "/courses/coop/assignments/hanabi/"


def send(client: Client, name: str = "agent.py", data: bytes = worlds.SOURCE) -> str:
    file = SimpleUploadedFile(name, data)
    response = client.post(ASSIGNMENT + "upload/", {"file": file}, follow=True)
    return text_of(response)


def page_of(client: Client, submission: Submission, rest: str = "") -> str:
    return text_of(client.get(f"/submissions/{submission.pk}/{rest}"))
