"""A game that an installed package brings, in processes that have the package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.interfaces import INTERFACES

GAME = "connect_four"
HERE = Path(__file__).parents[4]
PACKAGES = HERE / "tests/support/added_games"


def run(*command: str, packages: Path = PACKAGES) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{packages}"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def package(folder: Path, name: str, value: str, source: str) -> Path:
    """Write a package that offers a game."""
    info = folder / "bad-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[firebox.games]\n{name} = {value}\n")
    (folder / "bad.py").write_text(source)
    return folder


@pytest.mark.slow
def test_the_rules_and_every_page_of_the_site_work_for_an_added_game() -> None:
    done = run(
        *("-m", "pytest", "-q", "-n0", "tests/webapp/added_game"),
        *(
            "tests/grader/core/games/test_conformance.py",
            "-k",
            "connect_four or goofspiel or added_game",
        ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "27 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize(
    ("game", "interface"),
    [
        *((GAME, name) for name, declared in INTERFACES.items() if not declared.rules.game),
        ("goofspiel", "python"),
    ],
)
def test_a_kit_for_an_added_game_plays_against_the_house_agent(
    tmp_path: Path, docker_engine: object, game: str, interface: str
) -> None:
    kit = tmp_path / "kit"
    made = run("-m", "grader.cli", "new", str(kit), "--game", game, "--interface", interface)
    assert made.returncode == 0, made.stderr
    opponent = f"house:{game}/random_legal"
    options = ("--against", opponent, "--games", "8")
    done = run("-m", "grader.cli", "evaluate", str(kit), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "games     8 in" in done.stdout
    assert "fault" not in done.stdout


@pytest.mark.parametrize(
    ("name", "value", "source", "reason"),
    [
        ("bad", "bad:GAME", "import nothing_there", "it cannot be imported"),
        ("bad", "bad:GAME", "GAME = 7", "bad:GAME is no subclass of Game"),
        ("bad", "bad:GAME", "from grader.core.games.hearts import Hearts as GAME", "its name must"),
        ("hearts", "grader.core.games.hearts:Hearts", "", "a game called hearts is already there"),
    ],
)
def test_a_package_whose_game_cannot_be_used_is_named(
    tmp_path: Path, name: str, value: str, source: str, reason: str
) -> None:
    packages = package(tmp_path, name, value, source)
    done = run("-c", "import grader.core.games", packages=packages)
    assert done.returncode == 1
    assert f"bad offers the game {name}, which cannot be used: {reason}" in done.stderr
