"""The starter kit unpacks, passes its own tests, and plays."""

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.core.errors import RulesError
from grader.core.games import GAMES, game_from_options
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES
from grader.interfaces.starter_kit import starter_files, starter_kit, write_starter_kit
from tests.grader.interfaces.outcomes import played
from tests.support.agents import practice_request
from tests.support.archives import archive
from tests.support.every import every
from tests.support.interfaces import GAMES_OF

KITS = [(name, variant) for name, game in GAMES.items() for variant in game.variants()]
"""The games, with their variants."""

EVERY_KIT = [(name, game) for name, games in GAMES_OF.items() for game in games]
"""The interfaces, with the games that they have kits for."""


def unpacked(directory: Path, variant: str = "standard", game: str = "hanabi") -> Path:
    kit = starter_kit(game, {"variant": variant})
    with zipfile.ZipFile(io.BytesIO(kit)) as archive:
        archive.extractall(directory)
    return directory


def run(directory: Path, *arguments: str) -> str:
    """Run Python in the kit's directory, with nothing from the repository on its path."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=directory,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant"), KITS)
def test_the_tests_of_a_kit_pass_without_anything_installed(
    tmp_path: Path, game: str, variant: str
) -> None:
    kit = unpacked(tmp_path, variant, game)
    tests = (kit / "test_agent.py").read_text().count("\ndef test_")
    assert tests
    assert run(kit, "-S", "test_agent.py").count("passed") == tests


@pytest.mark.slow
def test_the_tests_of_a_kit_pass_with_pytest(tmp_path: Path) -> None:
    assert "4 passed" in run(unpacked(tmp_path), "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_a_kit_names_the_rules_it_was_made_for_which_can_be_played() -> None:
    rules = json.loads(starter_files("hanabi", {"variant": "uwa", "players": 5})["rules.json"])
    assert rules["options"] == game_from_options("hanabi", {"variant": "uwa", "players": 5}).options
    with pytest.raises(RulesError):
        starter_kit("hanabi", {"players": 9})


@every(("interface", "game"), EVERY_KIT)
def test_the_readme_of_every_kit_names_its_files_and_the_commands_to_play(
    interface: str, game: str
) -> None:
    files = starter_files(game, interface=interface, library=False)
    readme = files["README.md"].decode()
    for name in set(files) - {"README.md"}:
        assert f"`{name}`" in readme
    commands = re.findall(r"firebox evaluate [^`\n]+", readme)
    assert commands
    assert all(("--against" in line) == GAMES[game].competitive for line in commands)
    assert "firebox play " in readme


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize(("interface", "game"), EVERY_KIT)
def test_the_agent_of_every_kit_plays_a_game_without_a_fault(interface: str, game: str) -> None:
    files = starter_files(game, interface=interface, library=False)
    rules = json.loads(files["rules.json"])
    request = practice_request([interface], [0], game=game, **rules["options"])
    (result,) = played(request, [archive(files)])
    assert result.record.fault is None


def test_the_same_kit_has_the_same_bytes_and_may_have_a_folder_around_it() -> None:
    assert starter_kit("hanabi") == starter_kit("hanabi")
    with zipfile.ZipFile(io.BytesIO(starter_kit("hanabi", folder="hanabi-1"))) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"hanabi-1"}


def test_a_kit_is_written_without_the_library_where_that_is_installed(tmp_path: Path) -> None:
    names = write_starter_kit(tmp_path / "new" / "agent", "hanabi")
    assert names == ("README.md", "agent.py", "rules.json", "test_agent.py")
    assert (tmp_path / "new" / "agent" / "agent.py").is_file()


def test_a_kit_overwrites_no_files(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text("mine")
    with pytest.raises(FileExistsError):
        write_starter_kit(tmp_path, "hanabi")
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


@every(("game", "interface"), [(game, interface) for game in GAMES for interface in INTERFACES])
def test_house_agents_that_a_readme_names_are_there(game: str, interface: str) -> None:
    try:
        readme = starter_files(game, interface=interface)["README.md"].decode()
    except (LookupError, RulesError):
        return
    named = re.findall(r"house:([\w/]+)", readme)
    assert all(AGENTS[name].game == game for name in named)
    _, is_list, rest = readme.partition("from the weakest to the strongest")
    if is_list:
        listed = re.findall(r"`([\w/]+)`", rest.partition(".")[0])
        assert listed == [name for name, agent in AGENTS.items() if agent.game == game]
