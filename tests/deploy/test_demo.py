"""Patterns by which the demo reads pages, tried on pages that the site makes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.pages import text_of
from tests.support.templates import copy_of
from webapp.evaluations.models import Evaluation
from webapp.submissions.models import Submission

SCRIPT = Path(__file__).parents[2] / "deploy" / "dev" / "demo.py"


@pytest.fixture(autouse=True)
def _own_places(settings: Settings, tmp_path: Path) -> None:
    settings.STORE_URL = str(tmp_path / "store")
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    """The script, as a module."""
    found = importlib.util.spec_from_file_location("demo", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_it_sees_how_far_an_upload_has_come(db: None, client: Client, demo: ModuleType) -> None:
    world = copy_of(worlds.make_practised)
    ready = Submission.objects.get()
    rejected = worlds.upload(world, world.ben, data=b"def broken(:\n")
    worlds.reject(rejected.evaluations.get())
    client.force_login(world.ida)
    pages = [text_of(client.get(f"/submissions/{each.pk}/live/")) for each in (ready, rejected)]
    assert [demo.stage_of(page) for page in pages] == ["Ready", "rejected"]
    assert demo.shown_of(pages[0]) == demo.shown_of(
        text_of(client.get(f"/submissions/{ready.pk}/live/"))
    )


def test_it_sees_how_many_games_were_played(db: None, client: Client, demo: ModuleType) -> None:
    world = copy_of(worlds.make_practised)
    practice = Evaluation.objects.get(kind="practice")
    client.force_login(world.ida)
    page = text_of(client.get(f"/evaluations/{practice.uuid}/live/"))
    assert demo.played_of(page) == practice.n_games
