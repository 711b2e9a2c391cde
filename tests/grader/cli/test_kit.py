"""The rules of a starter kit are the rules at home, too."""

import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.cli.exits import UsageError
from grader.cli.kit import rules_beside
from grader.interfaces.starter_kit import starter_kit, write_starter_kit

pytestmark = pytest.mark.usefixtures("warm_sandboxes")


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit for the gcc variant, as a student has it."""
    write_starter_kit(tmp_path / "kit", "hanabi", {"variant": "gcc"})
    return tmp_path / "kit"


def players_beside(agent: str) -> int:
    rules = rules_beside([agent])
    assert rules is not None
    return int(rules.options["players"])


def played_variant(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["play", *arguments, "--no-sandbox", "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["record"]["options"]
    return str(options["variant"])


def test_the_folder_of_a_kit_is_played_by_its_rules(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played_variant(capsys, str(kit)) == "gcc"


def test_the_agents_file_of_a_kit_is_played_by_its_rules(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played_variant(capsys, str(kit / "agent.py")) == "gcc"


@pytest.mark.slow
def test_the_zip_of_a_kit_is_played_by_its_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "kit.zip"
    archive.write_bytes(starter_kit("hanabi", {"variant": "gcc"}, folder="kit"))
    assert played_variant(capsys, str(archive)) == "gcc"


def test_an_agent_without_rules_plays_the_standard_ones_with_a_note(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (kit / "rules.json").unlink()
    assert main(["play", str(kit), "--no-sandbox", "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["record"]["options"]["variant"] == "standard"
    assert "these are the standard rules" in output.err


@pytest.mark.parametrize(("rules", "hand_size"), [({}, 4), ({"hand_size": 3}, 3)])
def test_other_players_than_the_kits_have_hands_of_the_usual_size(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    rules: dict[str, int],
    hand_size: int,
) -> None:
    write_starter_kit(tmp_path / "kit", "hanabi", {"lives": 2, **rules})
    assert main(["play", str(tmp_path / "kit"), "--players", "4", "--no-sandbox", "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["record"]["options"]
    assert (options["players"], options["hand_size"], options["lives"]) == (4, hand_size, 2)


@pytest.mark.slow
def test_rules_on_the_command_line_override_the_kits(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played_variant(capsys, str(kit), "--variant", "uwa") == "uwa"


def test_house_agents_have_no_rules_beside_them() -> None:
    assert rules_beside(["house:iggi"]) is None


@pytest.mark.parametrize("text", ["{", "[" * 100_000], ids=["broken", "nested deeply"])
def test_a_broken_rules_file_is_pointed_out(kit: Path, text: str) -> None:
    (kit / "rules.json").write_text(text)
    with pytest.raises(UsageError, match=r"rules\.json is not the rules file"):
        rules_beside([str(kit)])


def test_rules_beside_a_java_package_are_found(tmp_path: Path) -> None:
    options = {"variant": "uwa", "players": 4}
    write_starter_kit(tmp_path / "kit", "hanabi", options, interface="uwa-java")
    for agent in ("agents", "agents/Agent12345678.java", "."):
        assert players_beside(str(tmp_path / "kit" / agent)) == 4


def test_rules_beside_a_java_package_are_found_from_inside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"variant": "uwa", "players": 4}
    write_starter_kit(tmp_path / "kit", "hanabi", options, interface="uwa-java")
    monkeypatch.chdir(tmp_path / "kit" / "agents")
    assert players_beside("Agent12345678.java") == 4


@pytest.mark.slow
def test_the_game_is_that_of_the_rules_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_starter_kit(tmp_path / "kit", "hearts", {"players": 3, "hands": 1})
    assert main(["play", str(tmp_path / "kit"), "--no-sandbox", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["record"]
    assert (record["game"], record["options"]["players"]) == ("hearts", 3)
