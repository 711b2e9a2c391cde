"""A game that an installed package brings, in processes that have the package."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.interfaces import INTERFACES
from tests.grader.test_no_game_by_name import HEARTS
from tests.suite.test_wheel import files
from tests.support.depth import deeper

GAME = "connect_four"
HERE = Path(__file__).parents[4]
GAMES = HERE / "deploy/games"
OPENSPIEL = HERE / "deploy/openspiel"
PATIENCE = HERE / "tests/support/added_games"
"""Described as it is installed: games for one, by names with a colon."""
NOT_OURS = "not hanabi and not folder"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Describe the packages of games as if they were installed, without a build."""
    return os.pathsep.join((installed(tmp_path_factory.mktemp("packages"), GAMES), f"{PATIENCE}"))


def installed(folder: Path, source: Path) -> str:
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    describe(folder, project["name"], project["entry-points"]["firebox.games"])
    return os.pathsep.join((f"{folder}", f"{source}"))


def describe(folder: Path, distribution: str, games: Mapping[str, str]) -> None:
    info = folder / f"{distribution.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in games.items()]
    (info / "entry_points.txt").write_text("\n".join(["[firebox.games]", *lines]))


def run(
    packages: str, *command: str, typed: str = "", cwd: Path = HERE, minutes: int = 10
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": packages}
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=60 * minutes,
    )


@pytest.mark.slow
def test_the_rules_and_every_page_work_for_added_games_without_hearts(
    packages: str, tmp_path: Path
) -> None:
    for name in files():
        if not name.startswith(HEARTS):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / name, tmp_path / name)
    tests = ("tests/webapp/added_game", "tests/grader/core/games/test_conformance.py")
    done = run(packages, "-m", "pytest", "-q", "-n0", *tests, "-k", NOT_OURS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "51 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.browser
def test_an_added_game_is_played_and_replayed_as_a_grid_in_a_browser(packages: str) -> None:
    done = run(packages, "-m", "pytest", "-q", "-n0", "tests/e2e/added_game")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.browser
@pytest.mark.docker
@pytest.mark.redis
def test_everybody_does_their_main_job_in_each_game_of_a_package(packages: str) -> None:
    minutes = deeper(15, deep=120)
    done = run(packages, "-m", "pytest", "-q", "-n0", "tests/stories/added_game", minutes=minutes)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize(
    ("game", "interface"),
    [
        *((GAME, name) for name, declared in INTERFACES.items() if not declared.rules.game),
        ("gomoku", "lines-cpp"),
        ("othello", "lines-python"),
        ("goofspiel", "python"),
        ("patience:guessing_8", "python"),
    ],
)
def test_a_kit_for_an_added_game_plays_against_the_house_agent(
    packages: str, tmp_path: Path, docker_engine: object, game: str, interface: str
) -> None:
    kit = tmp_path / "kit"
    made = run(
        packages, "-m", "grader.cli", "new", str(kit), "--game", game, "--interface", interface
    )
    assert made.returncode == 0, made.stderr
    against = () if "patience" in game else ("--against", f"house:{game}/random_legal")
    options = (*against, "--games", "8")
    done = run(packages, "-m", "grader.cli", "evaluate", str(kit), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "games     8 in" in done.stdout
    assert "fault" not in done.stdout


@pytest.mark.slow
def test_a_person_plays_a_game_for_one_without_an_agent(packages: str) -> None:
    play = ("-m", "grader.cli", "play", "--me", "--game")
    done = run(packages, *play, "patience:guessing_8", typed="higher\n" * 7)
    assert done.returncode == 0, done.stderr
    assert "  higher Higher\n" in done.stdout
    assert "ended     deck\n" in done.stdout
    refused = run(packages, *play, GAME)
    assert "name an AGENT for 1 other seat" in refused.stderr


@pytest.mark.slow
@pytest.mark.docker
def test_a_kit_plays_a_game_of_openspiel(tmp_path: Path, docker_engine: object) -> None:
    packages, kit = installed(tmp_path / "packages", OPENSPIEL), str(tmp_path / "kit")
    game = "openspiel:leduc_poker"
    made = run(packages, "-m", "grader.cli", "new", kit, "--game", game)
    assert made.returncode == 0, made.stderr
    against = ("--against", f"house:{game}/random_legal", "--games", "8")
    done = run(packages, "-m", "grader.cli", "evaluate", kit, *against)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "games     8 in" in done.stdout
    assert "fault" not in done.stdout


def test_the_rules_of_an_installed_game_may_be_the_first_import(packages: str) -> None:
    tell = "import firebox_games.pig; from grader.core.games import GAMES; print(*GAMES)"
    done = run(packages, "-c", tell)
    assert done.returncode == 0, done.stderr
    assert {"hanabi", "pig", GAME} <= set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "source", "reason"),
    [
        ("bad", "bad:GAME", "import nothing_there", "it cannot be imported"),
        ("bad", "bad:GAME", "GAME = 7", "it is no subclass of Game"),
        ("bad", "bad:GAME", "from grader.core.games.hearts import Hearts as GAME", "its name must"),
        ("hearts", "grader.core.games.hearts:Hearts", "", "a game called hearts is already there"),
        ("bad", "bad:GAMES", "GAMES = {'bad:1': 7}", "it is no subclass of Game"),
        ("bad", "bad:GAMES", "GAMES = {'good': 7}", "names of several games begin with bad:"),
    ],
)
def test_a_package_whose_game_cannot_be_used_is_named(
    tmp_path: Path, name: str, value: str, source: str, reason: str
) -> None:
    describe(tmp_path, "bad", {name: value})
    (tmp_path / "bad.py").write_text(source)
    done = run(str(tmp_path), "-c", "from grader.core.games import GAMES")
    assert done.returncode == 1
    assert "bad offers the game " in done.stderr
    assert f", which cannot be used: {reason}" in done.stderr
