"""What the demo reads on pages, on pages that the site makes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client

from tests.support import world as worlds
from tests.support.pages import text_of

SCRIPT = Path(__file__).parents[2] / "deploy" / "dev" / "demo.py"


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
    world = worlds.make()
    ready = worlds.submit_and_practise(world, world.ada)
    rejected = worlds.upload(world, world.ben, data=b"def broken(:\n")
    worlds.reject(rejected.evaluations.get())
    client.force_login(world.ida)
    pages = [text_of(client.get(f"/submissions/{each.pk}/live/")) for each in (ready, rejected)]
    assert [demo.stage_of(page) for page in pages] == ["Ready", "rejected"]
    assert demo.shown_of(pages[0]) == demo.shown_of(
        text_of(client.get(f"/submissions/{ready.pk}/live/"))
    )


def test_it_sees_how_many_games_were_played(db: None, client: Client, demo: ModuleType) -> None:
    world = worlds.make()
    practice = worlds.submit_and_practise(world, world.ada).evaluations.get(kind="practice")
    client.force_login(world.ida)
    page = text_of(client.get(f"/evaluations/{practice.uuid}/live/"))
    assert demo.played_of(page) == practice.n_games
