"""What a game's version covers."""

import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

from grader.core.games import GAMES
from grader.core.games.versions import version_of

PIG = Path(__file__).parents[4] / "deploy/games/firebox_games/pig"


def test_games_of_this_repository_have_the_empty_version_that_assignments_pin() -> None:
    assert [version_of(GAMES[name]) for name in ("hanabi", "hearts")] == ["", ""]


def test_a_version_covers_the_rules_but_no_agents_kits_drawings_and_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "piglet"
    shutil.copytree(PIG, folder)
    monkeypatch.syspath_prepend(tmp_path)
    game = import_module("piglet").Pig
    version = version_of.__wrapped__(game)
    for name in (
        *("agents/bold.py", "starter/python/agent.py", "viewer/draw.js"),
        *("presentation.py", "guide.html", "replay.html"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("new")
        assert version_of.__wrapped__(game) == version, name
    (folder / "dice.py").write_text("new")
    assert version_of.__wrapped__(game) != version
    del sys.modules["piglet"]


def test_the_version_of_a_game_in_one_module_covers_that_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "alone.py"
    file.write_text("from firebox_games.pig import Pig\n\nclass Alone(Pig): ...\n")
    game = import_module("alone").Alone
    version = version_of.__wrapped__(game)
    (tmp_path / "other.py").write_text("new")
    assert version_of.__wrapped__(game) == version
    file.write_text("new")
    assert version_of.__wrapped__(game) != version
    del sys.modules["alone"]
