"""``make demo``: its student and its instructor find their way through the site's pages.

The pages are the site's; a house agent plays in the place of the graders. First the patterns by
which the demo reads pages.
"""

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from rich.console import Console

from deploy.dev import demo
from tests.support import world as worlds
from tests.support.pages import text_of
from tests.support.templates import copy_of
from tests.webapp.test_demo_course import FILE, imported
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.runtime.templatetags.figures import thousands
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db


@pytest.mark.course
def test_the_demo_reads_the_stage_of_an_upload_from_its_page(client: Client) -> None:
    world = copy_of(worlds.make_practised)
    ready = Submission.objects.get()
    rejected = worlds.upload(world, world.ben, data=b"def broken(:\n")
    worlds.reject(rejected.evaluations.get())
    client.force_login(world.ida)
    pages = [text_of(client.get(f"/submissions/{each.pk}/live/")) for each in (ready, rejected)]
    assert [demo.stage_of(page) for page in pages] == ["Verdict", "rejected"]
    assert demo.stage_of(pages[0]) in demo.PASSED
    assert demo.shown_of(pages[0]) == demo.shown_of(
        text_of(client.get(f"/submissions/{ready.pk}/live/"))
    )


@pytest.mark.course
def test_the_demo_reads_the_number_of_games_from_the_page(client: Client) -> None:
    world = copy_of(worlds.make_practised)
    practice = Evaluation.objects.get(kind="practice")
    client.force_login(world.ida)
    page = text_of(client.get(f"/evaluations/{practice.uuid}/live/"))
    assert demo.played_of(page) == practice.n_games
    shown = re.search(r"<dt>games</dt>\s*<dd>\s*\d+", page)
    assert shown is not None
    assert demo.played_of(page.replace(shown[0], f"<dt>games</dt><dd>{thousands(1000)}")) == 1000


class Browser:
    """A browser; each time it looks at what is under way, an evaluation is played."""

    def __init__(self) -> None:
        self._client = Client()

    def read(self, path: str) -> str:
        response = self._client.get(path)
        assert response.status_code == 200, path
        under_way = Evaluation.objects.filter(jobs__status="queued").order_by("pk").first()
        if path.endswith("live/") and under_way is not None:
            worlds.play(under_way)
        return response.content.decode()

    def send(
        self,
        page: str,
        fields: dict[str, str],
        *,
        to: str = "",
        file: tuple[str, bytes] | None = None,
    ) -> SimpleNamespace:
        assert "csrfmiddlewaretoken" in self.read(page)
        files = {"file": SimpleUploadedFile(*file)} if file else {}
        response = self._client.post(to or page, {**fields, **files}, follow=True)
        assert response.status_code == 200, to
        return SimpleNamespace(
            url=demo.SITE + response.request["PATH_INFO"], text=response.content.decode()
        )


@pytest.fixture
def output(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The demo's course, with few games; what the demo says."""
    settings.SITE_URL = "http://127.0.0.1:8600"
    copy_of(imported)
    with (tmp_path / "demo-accounts").open("w") as accounts:
        call_command("demo_course", FILE, stdout=accounts)
    Assignment.objects.update(n_games=8, practice_games=4, smoke_games=1)
    output = io.StringIO()
    for name, value in {
        "VAR": tmp_path,
        "Browser": Browser,
        "POLL_SECONDS": 0,
        "console": Console(file=output, width=200),
    }.items():
        monkeypatch.setattr(demo, name, value)
    return output


@pytest.mark.slow
def test_the_demo_leads_from_registration_to_the_leaderboard_once(output: io.StringIO) -> None:
    assert demo.main() == 0, output.getvalue()
    shown = output.getvalue()
    assert "Cleo registered" in shown
    assert "First test in a sandbox passed within" in shown
    assert "Ida started the graded evaluation." in shown
    assert shown.count("8/8") >= 1
    assert "Leaderboard" in shown
    assert f"{demo.SITE}{demo.ASSIGNMENT}ladder/" in shown
    (address,) = re.findall(rf"{demo.SITE}(/\S*leaderboard/)", shown)
    board = text_of(Client().get(address))  # to a visitor who is not signed in
    assert "<h1>Leaderboard</h1>" in board
    assert "Cleo" not in board
    evaluations = Evaluation.objects.count()
    output.truncate(0)
    assert demo.main() == 0, output.getvalue()
    assert "registered" not in output.getvalue()
    assert Evaluation.objects.count() == evaluations
    assert reverse("courses:assignment", args=("demo", "cooperative-agent")) == demo.ASSIGNMENT


@pytest.mark.slow
def test_an_agent_that_is_rejected_ends_it_with_the_page(
    output: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "play", worlds.reject)
    assert demo.main() == 1
    assert "the agent was rejected: see http" in output.getvalue()
