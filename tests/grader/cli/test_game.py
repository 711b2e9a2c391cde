"""``firebox game``: a new game passes its checks; one that is not fit is refused, with a reason."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.game.located import Located
from grader.cli.game.trials import try_own

PATCHED = {
    "leaking": (
        ('"to_act": self.seat_to_act,', '"to_act": self.seat_to_act, "secrets": self.secrets,'),
        (
            "        self._winner: int | None = None\n",
            """        self._winner: int | None = None
        self.secrets = [3, 4]

    def resample(self, seat, chance):
        other = copy.deepcopy(self)
        other.secrets[1 - seat] = 10 + chance.below(5)
        return other
""",
        ),
        ("from collections", "import copy\nfrom collections"),
    ),
    "without chance": (("    opening_moves = 2\n", "    opening_moves = 0\n"),),
    "hanging": (
        (
            '        """Play an action.',
            '        while self.turn > 3:\n            pass\n        """',
        ),
    ),
    "another in each play": (
        (
            "        self._winner: int",
            "        self.number = next(NUMBERS)\n        self._winner: int",
        ),
        ('"to_act": self.seat_to_act,', '"to_act": self.seat_to_act, "number": self.number,'),
        ("MARKS: Final", "NUMBERS = itertools.count()\nMARKS: Final"),
        ("from collections", "import itertools\nfrom collections"),
    ),
    "another in each process": (
        ('"to_act": self.seat_to_act,', '"to_act": self.seat_to_act, "salt": hash("salt"),'),
    ),
    "reading the clock": (
        ("from collections", "import time\nfrom collections"),
        ("{'type': 'begin'}", "{'type': 'begin', 'at': int(time.time() / 1e6)}"),
    ),
    "broken": (("return self._moves", "return 1 / 0"), ("len(self._moves)", "len(self.moves)")),
    "unfinished": (("def describe", "def describes"),),
    "never made": (("def notate", "def notates"),),
    "not imported": (("from collections", "import no_such_module\nfrom collections"),),
}
"""Edits of the game that ``firebox game new`` writes."""

SENTENCES = {
    "leaking": ("graded", "is told something secret"),
    "without chance": ("graded", "200 seeds give one deal: there is no chance"),
    "hanging": ("plays", "The game hangs: it was in line"),
    "another in each play": ("plays", "the game is not deterministic"),
    "another in each process": ("plays", "differ in another process"),
    "reading the clock": (
        "plays",
        "The rules import `time` (line 9 of __init__.py): rules read no",
    ),
    "broken": ("plays", "The game raises AttributeError: 'Board' object has no attribute 'moves'"),
    "unfinished": ("plays", "`Board` lacks `describe(self, action)`."),
    "never made": ("plays", "`Noughts` lacks `notate(self, action)`."),
    "not imported": ("plays", "it cannot be imported: No module named 'no_such_module'"),
}


def firebox(
    folder: Path, *words: str, packages: Path | None = None
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages or ""), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{Path.cwd()}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def new(folder: Path) -> Path:
    made = firebox(folder, "game", "new", "noughts")
    assert made.returncode == 0, made.stderr
    return folder / "noughts"


@pytest.mark.slow
@pytest.mark.parametrize("fault", SENTENCES)
def test_a_game_that_is_not_fit_is_refused_in_a_sentence(tmp_path: Path, fault: str) -> None:
    rules = new(tmp_path) / "firebox_noughts" / "__init__.py"
    text = rules.read_text()
    for before, after in PATCHED[fault]:
        text = text.replace(before, after, 1)
    rules.write_text(text)
    limits = ("--level", "graded", "--seconds", "4")
    done = firebox(tmp_path, "game", "check", "noughts", *limits, "--json")
    assert done.returncode == 1, done.stdout + done.stderr
    first, *others = json.loads(done.stdout)["findings"]
    assert not any("ended its process" in each["problem"] for each in others)
    level, sentence = SENTENCES[fault]
    assert first["level"] == level
    assert sentence in first["problem"]
    assert first["repair"].endswith(".")


@pytest.mark.slow
def test_what_rules_print_is_shown_to_their_author(tmp_path: Path) -> None:
    rules = new(tmp_path) / "firebox_noughts" / "__init__.py"
    text = rules.read_text()
    rules.write_text(text.replace("return Board()", 'print("a board"); return Board()'))
    done = firebox(tmp_path, "game", "check", "noughts", "--level", "plays")
    assert done.returncode == 0, done.stdout
    assert "It printed:\na board\n" in done.stderr


@pytest.mark.slow
def test_a_game_is_shown_before_it_is_installed(tmp_path: Path) -> None:
    rules = new(tmp_path) / "firebox_noughts" / "__init__.py"
    rules.write_text(
        rules.read_text().replace("return Board()", 'print("a board"); return Board()')
    )
    done = firebox(tmp_path, "game", "show", "noughts")
    assert done.returncode == 0, done.stderr
    assert "seat 1 puts a mark on" in done.stdout
    assert "ending: " in done.stdout.splitlines()[-1]
    done = firebox(tmp_path, "game", "show", "noughts", "--html", "noughts.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "noughts.html").read_text()
    assert page.startswith("<!doctype html>")
    assert '"words":"a nought"' in page
    rules.write_text(rules.read_text().replace("signs = {", "signs = 1 / 0 * {"))
    done = firebox(tmp_path, "game", "show", "noughts")
    assert done.returncode == 2
    assert "ZeroDivisionError" in done.stderr
    assert "`firebox game check noughts` says what to mend" in done.stderr


@pytest.mark.slow
@pytest.mark.docker
def test_a_new_game_is_in_order_and_is_played_once_it_is_installed(
    tmp_path: Path, docker_engine: object
) -> None:
    project = new(tmp_path)
    again = firebox(tmp_path, "game", "new", "noughts")
    assert (again.returncode, again.stderr.strip()) == (
        2,
        "firebox: noughts exists already; choose another name",
    )
    checked = firebox(tmp_path, "game", "check", "noughts")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "noughts is in order: it can be played, graded and published." in checked.stdout
    info = project / "firebox_noughts-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: firebox-noughts\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[firebox.games]\nnoughts = firebox_noughts:Noughts\n")
    made = firebox(tmp_path, "new", "agent", "--game", "noughts", packages=project)
    assert made.returncode == 0, made.stderr
    options = ("--against", "house:noughts/lines", "--games", "10", "--no-sandbox")
    played = firebox(tmp_path, "evaluate", "agent", *options, packages=project)
    assert played.returncode == 0, played.stderr
    assert "games     10 in" in played.stdout
    own = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "noughts/tests"],
        cwd=tmp_path,
        env={
            # With settings, pytest would import the site, and all games, before the test.
            **{key: each for key, each in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"},
            "PYTHONPATH": f"{project}{os.pathsep}{Path.cwd()}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert own.returncode == 0, own.stdout


@pytest.mark.slow
def test_what_is_no_game_is_refused_with_what_would_be(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for target, sentence in {
        "empty": "has no pyproject.toml; `firebox game new` writes one",
        "nothing": "nothing is neither a folder, nor MODULE:CLASS, nor an installed game: hanabi",
        "nothing:Here": "nothing:Here cannot be imported from",
    }.items():
        done = firebox(tmp_path, "game", "check", target)
        assert done.returncode == 2
        assert sentence in done.stderr


@pytest.mark.slow
def test_a_folders_own_tests_and_playthroughs_are_part_of_its_check(tmp_path: Path) -> None:
    project = new(tmp_path)
    place = Located(["noughts"], [str(project)], project)
    assert try_own(place) == ([], [])
    test = project / "tests" / "test_noughts.py"
    test.write_text(test.read_text().replace("(1, -1)", "(-1, 1)"))
    (project / "playthroughs").mkdir()
    (project / "playthroughs" / "first.json").write_text("{}")
    record, tests = try_own(place)[0]
    assert record.problem.startswith("The record first.json is no play by these rules: ")
    assert "FAILED tests/test_noughts.py::test_three_in_a_row_win" in tests.problem
