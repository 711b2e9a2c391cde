"""``firebox new``: a folder that plays at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.cli.conftest import Firebox

pytestmark = pytest.mark.usefixtures("warm_sandboxes")


def test_a_new_folder_can_be_played_at_once(firebox: Firebox, tmp_path: Path) -> None:
    run = firebox("new", tmp_path / "mine")
    assert run.status == 0
    assert f"Try it: firebox play {tmp_path}/mine\n" in run.out, "rules.json says the rest"
    assert firebox("play", tmp_path / "mine", "--no-sandbox").status == 0


@pytest.mark.slow
def test_the_tests_of_a_new_folder_pass(firebox: Firebox, tmp_path: Path) -> None:
    firebox("new", tmp_path / "mine")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django", "."],
        cwd=tmp_path / "mine",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " passed" in run.stdout


def test_an_empty_folder_is_filled(firebox: Firebox, tmp_path: Path) -> None:
    assert firebox("new", tmp_path).status == 0
    assert (tmp_path / "agent.py").is_file()


@pytest.mark.slow
def test_a_kit_is_made_for_the_rules_that_were_requested(firebox: Firebox, tmp_path: Path) -> None:
    run = firebox("new", tmp_path, "--variant", "ensta", "--players", 4)
    assert f"Try it: firebox play {tmp_path}\n" in run.out
    assert "variant=ensta players=4" in firebox("play", tmp_path, "--no-sandbox").out
    rules = json.loads((tmp_path / "rules.json").read_text())
    assert (rules["options"]["variant"], rules["options"]["players"]) == ("ensta", 4)


def test_files_that_exist_are_not_overwritten(firebox: Firebox, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("precious")
    run = firebox("new", tmp_path)
    assert run.status == 2
    assert "exists already; name a new folder" in run.err
    assert [path.name for path in tmp_path.iterdir()] == ["agent.py"]


def test_a_file_in_place_of_the_folder_is_refused(firebox: Firebox, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = firebox("new", tmp_path / "file")
    assert run.status == 2
    assert f"{tmp_path}/file" in run.err


def test_wrong_rules_are_explained(firebox: Firebox, tmp_path: Path) -> None:
    run = firebox("new", tmp_path / "mine", "--players", 0)
    assert run.status == 2
    assert "players" in run.err
    assert not (tmp_path / "mine").exists()


@pytest.mark.slow
def test_a_folder_for_another_interface_plays_at_once_by_its_rules(
    firebox: Firebox, tmp_path: Path
) -> None:
    run = firebox("new", tmp_path / "mine", "--interface", "cs221-python")
    assert "player.py, rules.json, simulator.py, util.py" in run.out
    rules = json.loads((tmp_path / "mine" / "rules.json").read_text())["options"]
    assert (rules["variant"], rules["players"]) == ("cs221", 3)
    assert firebox("play", tmp_path / "mine", "--no-sandbox").status == 0


def test_rules_that_the_interfaces_agents_cannot_play_are_refused(
    firebox: Firebox, tmp_path: Path
) -> None:
    run = firebox("new", tmp_path / "mine", "--interface", "uwa-java", "--variant", "gcc")
    assert run.status == 2
    assert "its agents play the variant uwa" in run.err
