"""The viewer's files: what a further game adds to them."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from grader.core.games import GAMES
from grader.viewer import files


def test_a_third_games_viewer_is_one_file_in_the_games_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("third_game")
    module.__file__ = str(tmp_path / "rules.py")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    third = type("Third", (), {"__module__": module.__name__, "view": None})
    monkeypatch.setitem(GAMES, "third", third)
    shared = files.scripts("third")
    drawing = tmp_path / "viewer" / "draw.js"
    drawing.parent.mkdir()
    drawing.write_text("Firebox.games.third = {};\n")
    assert files.scripts("third") == [*shared, ("viewer/third/draw.js", drawing)]
    assert files.scripts("hanabi")[: len(shared)] == shared
    assert ("viewer/third", drawing.parent) in files.static_folders()
