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


@pytest.mark.parametrize(
    ("there", "arguments", "said"),
    [
        ("mine/agent.py", (), "exists already; name a new folder"),
        ("mine", (), "/mine"),
        ("other", ("--players", 0), "players"),
        (
            "other",
            ("--interface", "uwa-java", "--variant", "gcc"),
            "its agents play the variant uwa",
        ),
    ],
)
def test_what_exists_is_not_overwritten_and_wrong_rules_are_explained(
    firebox: Firebox, tmp_path: Path, there: str, arguments: tuple[object, ...], said: str
) -> None:
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("precious")
    run = firebox("new", tmp_path / "mine", *arguments)
    assert run.status == 2
    assert said in run.err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / there]


@pytest.mark.slow
def test_a_folder_for_another_interface_plays_at_once_by_its_rules(
    firebox: Firebox, tmp_path: Path
) -> None:
    run = firebox("new", tmp_path / "mine", "--interface", "cs221-python")
    assert "player.py, rules.json, simulator.py, util.py" in run.out
    rules = json.loads((tmp_path / "mine" / "rules.json").read_text())["options"]
    assert (rules["variant"], rules["players"]) == ("cs221", 3)
    assert firebox("play", tmp_path / "mine", "--no-sandbox").status == 0
