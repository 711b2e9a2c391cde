"""Everything about a game is its own data: no other code asks which game it is."""

import re
from pathlib import Path

import pytest

import grader
import webapp
from grader.core.games import GAMES
from tests.support.every import every

ROOTS = (Path(grader.__file__).parent, Path(webapp.__file__).parent)
NAMES = "|".join(GAMES)
QUOTED = rf"""(?P<quote>["'])(?:{NAMES})(?P=quote)"""
ASKS = re.compile(
    rf"""(?:[=!]=|\bis|\bis\s+not|\bin|\bcase)\s*[({{\[]?\s*{QUOTED}"""
    rf"""|{QUOTED.replace("quote", "other")}\s*(?:[=!]=|\bin\b|\bis\b)"""
)
"""A comparison with a game's name: ``== "…"``, ``in ("…", …)``, ``case "…"``, and turned around."""

SOURCES = [
    path
    for root in ROOTS
    for path in sorted(root.rglob("*"))
    if path.suffix in {".py", ".html", ".js"} and "migrations" not in path.parts
]


def own_folder(path: Path) -> bool:
    return path.stem.partition("_")[0] in GAMES or any(part in GAMES for part in path.parts)


def test_the_files_to_search_are_found() -> None:
    assert len(SOURCES) > 200
    assert any(path.suffix == ".html" for path in SOURCES)


@every(
    "line",
    [
        'if game == "hearts":',
        "if game.name != 'hanabi':",
        '{% if assignment.game == "hearts" %}',
        'if spec.game in ("hearts", "hanabi"):',
        'case "hearts":',
        'if "hanabi" == game:',
    ],
)
def test_lines_that_ask_for_a_game_by_name_are_found(line: str) -> None:
    assert ASKS.search(line)


@pytest.mark.parametrize(
    "line", ['GAMES["hanabi"].variants()', 'game="hearts",', 'name: ClassVar[str] = "hanabi"']
)
def test_lines_that_only_name_a_game_are_not_found(line: str) -> None:
    assert not ASKS.search(line)


@pytest.mark.slow
def test_no_file_asks_whether_a_game_is_a_certain_one() -> None:
    asking = [
        f"{path}:{number}: {line.strip()}"
        for path in SOURCES
        if not own_folder(path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ASKS.search(line)
    ]
    assert asking == []


HEARTS = (
    "grader/core/games/hearts/",
    "grader/interfaces/fit2102_haskell/",
    "grader/interfaces/python/firebox/hearts/",
)
"""The game, its course's interface, and the types that students import."""


def test_nothing_but_its_folder_its_course_and_its_types_names_hearts() -> None:
    root = ROOTS[0].parent
    naming = [
        path.relative_to(root).as_posix()
        for folder in ("grader", "sandbox", "webapp", "deploy/games", "deploy/openspiel")
        for path in (root / folder).rglob("*")
        if path.suffix in {".py", ".html", ".js", ".css", ".md", ".json", ".hs", ".java", ".cpp"}
        and not path.relative_to(root).as_posix().startswith(HEARTS)
        and re.search("hearts", path.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert naming == []
