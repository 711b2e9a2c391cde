"""Everything about an interface is in its own folder: no other code names it."""

import re
import subprocess
from pathlib import Path

import pytest

from grader.core.games import GAMES
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES

ROOT = Path(__file__).parents[2]
PLACES = ("grader", "sandbox", "webapp", "deploy", ".ci", ".github", "pyproject.toml", "Makefile")
PROSE = {".md", ".json", ".lock", ".png", ".svg", ".woff2"}
"""Documents, and figures that were measured."""
ALLOWED = ("grader/house/cs221/", "sandbox/images/")
"""House agents are written against an interface, as students' are; an image may be made for one."""
NAMES = sorted(set(INTERFACES) - {DEFAULT_INTERFACE})
"""The default's is that of a language and an image, too: it is looked for as an interface's."""
OWN = sorted(
    {
        path.name
        for interface in INTERFACES.values()
        for path in interface.adapter.paths
        if path.parent == interface.folder
    }
    - {"firebox"}
    - GAMES.keys()
)
"""Packages and folders that only one interface has."""
NAMED = re.compile(
    rf"(?<![\w-])(?:{'|'.join([*NAMES, *OWN])})(?![\w-])"
    rf"""|interface\w*"?[ ]?[=:]=?[ ]?["']{DEFAULT_INTERFACE}["']"""
)


def own_folder(path: str) -> bool:
    return any(f"grader/interfaces/{one.folder.name}/" in path for one in INTERFACES.values())


def sources() -> list[str]:
    command = ["git", "ls-files", *PLACES]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [
        path
        for path in run.stdout.splitlines()
        if (ROOT / path).is_file()
        and Path(path).suffix not in PROSE
        and not own_folder(path)
        and not path.startswith(ALLOWED)
        and "/migrations/" not in path
    ]


def test_the_files_to_search_are_found() -> None:
    assert len(sources()) > 400
    assert "webapp/templates/guide/protocol.html" in sources()
    assert "pyproject.toml" in sources()


@pytest.mark.parametrize(
    "line",
    ['if name == "gcc-cpp":', "packages = firebox_ensta", "hanabAI.", 'interface="python",'],
)
def test_lines_that_name_an_interface_are_found(line: str) -> None:
    assert NAMED.search(line)


@pytest.mark.parametrize("line", ['image="cpp"', 'variant == "gcc"', "import firebox.hanabi"])
def test_lines_that_name_no_interface_are_not_found(line: str) -> None:
    assert not NAMED.search(line)


@pytest.mark.slow
def test_no_file_names_an_interface_that_is_not_its_own() -> None:
    naming = [
        f"{path}:{number}: {line.strip()}"
        for path in sources()
        for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1)
        if NAMED.search(line)
    ]
    assert naming == []
