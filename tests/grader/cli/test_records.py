"""``firebox replay`` and ``firebox verify``: files of records."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.core.records import AgentRef, Mode, to_json
from grader.results.grading_scheme import GradingScheme
from grader.results.replay import render
from tests.grader.cli.conftest import Firebox
from tests.grader.played import export, faulted_record, random_record, result

EXPORT = export(
    [random_record(0), faulted_record(1)],
    scheme=GradingScheme(full_mean=Decimal(0), full_points=Decimal(10)),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "export.json"
    path.write_text(to_json(EXPORT))
    return path


# Replay


def test_a_game_of_an_export_is_printed(firebox: Firebox, file: Path) -> None:
    run = firebox("replay", file, "--game", 0)
    assert run.status == 0
    assert run.out == render(random_record(0))
    assert firebox("replay", file, "--game", 0, "--upto", 3).out == render(random_record(0), upto=3)
    assert "number of the game in an export, from 0" in firebox("replay", "--help").out


def test_a_fault_is_printed_with_its_evidence(firebox: Firebox, file: Path) -> None:
    run = firebox("replay", file, "--game", 1, "--text")
    assert run.status == 0
    assert "*** FAULT timeout of seat 2 in turn 5" in run.out
    assert "Its process: still running" in run.out


@pytest.mark.parametrize(
    "value",
    [random_record(0), result(0, random_record(0)), export([random_record(0)])],
    ids=["record", "result", "export"],
)
def test_a_file_of_one_game_needs_no_choice(
    firebox: Firebox, tmp_path: Path, value: object
) -> None:
    (tmp_path / "one.json").write_text(to_json(value))
    assert firebox("replay", tmp_path / "one.json").out == render(random_record(0))


def test_json_has_the_turns_and_the_record(firebox: Firebox, file: Path) -> None:
    story = firebox("replay", file, "--game", 0, "--json", "--upto", 2).json
    assert [step["turn"] for step in story["steps"]] == [0, 1]
    assert story["record"]["v"] == 1


def test_a_page_shows_the_game_in_any_browser(firebox: Firebox, file: Path, tmp_path: Path) -> None:
    run = firebox("replay", file, "--game", 1, "--html", tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text()
    assert run.status == 0
    assert "game.html" in run.out
    assert "<h1>Game 1</h1>" in page
    assert "*** FAULT timeout of seat 2 in turn 5" in page
    assert '"mark":"fault"' in page


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("replay", "choose a game with --game; the file has games 0 to 1; a fault ended 1"),
        ("replay --game 7", "there is no game 7"),
        ("replay --game 0 --upto -1", "--upto is -1"),
        ("replay --game 0 --html game.html --upto 3", "--upto is for text and JSON"),
        ("replay --game 0 --html no/game.html", "its folder does not exist"),
        ("replay --game 0 --html " + "x" * 256, "x: File name too long"),
    ],
)
def test_impossible_wishes_are_explained(
    firebox: Firebox, file: Path, words: str, complaint: str
) -> None:
    command, *options = words.split()
    run = firebox(command, file, *options)
    assert run.status == 2
    assert complaint in run.err


@pytest.mark.parametrize(
    ("command", "name", "complaint"),
    [
        (["replay", "--game", 0], "one.json", "leave --game out"),
        (["replay"], "bad.json", "the scores are"),
        (["replay"], ".", "Is a directory"),
        (["replay"], "nothing.json", "No such file"),
        (["verify"], "one.json", "`firebox replay` checks and shows a single game"),
        (["verify"], "one.json", "is not the export of an evaluation"),
    ],
)
def test_a_file_that_does_not_do_is_explained(
    firebox: Firebox, tmp_path: Path, command: list[object], name: str, complaint: str
) -> None:
    (tmp_path / "one.json").write_text(to_json(random_record(0)))
    (tmp_path / "bad.json").write_text(to_json(replace(random_record(0), scores=(25, 25))))
    run = firebox(*command, tmp_path / name)
    assert run.status == 2
    assert complaint in run.err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not a file of records"),
        ("[]", "is not a file of records"),
        ("[" * 100_000, "is not a file of records"),
        ("\ud800", "is not a file of records"),
        ("{}", "not a valid Record"),
        ('{"results": 3}', "not a valid EvaluationExport"),
        ('{"record": 3}', "not a valid GameResult"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_that_hold_no_record_are_refused(
    firebox: Firebox, tmp_path: Path, command: str, text: str, complaint: str
) -> None:
    (tmp_path / "other.json").write_text(text, errors="surrogatepass")
    run = firebox(command, tmp_path / "other.json")
    assert run.status == 2
    assert complaint in run.err or "it has no results" in run.err


@pytest.mark.parametrize("name", ["agent.py", "agents.zip", "folder"])
@pytest.mark.parametrize("command", ["replay", "verify", "audit"])
def test_an_agent_in_place_of_a_record_is_recognised(
    firebox: Firebox, tmp_path: Path, command: str, name: str
) -> None:
    path = tmp_path / name
    if path.suffix:
        path.write_text("import firebox\n")
    else:
        path.mkdir()
        (path / "agent.py").write_text("import firebox\n")
    run = firebox(command, path)
    assert run.status == 2
    assert f"but an agent: play it with `firebox play {path}`" in run.err
    assert f"`firebox evaluate {path} --output games.json`" in run.err


@pytest.mark.parametrize("command", ["replay", "verify", "audit"])
def test_a_name_that_no_file_can_have_is_explained(firebox: Firebox, command: str) -> None:
    run = firebox(command, "x" * 256)
    assert run.status == 2
    assert "x: File name too long" in run.err


# Verify


def test_an_honest_export_is_confirmed(firebox: Firebox, file: Path) -> None:
    run = firebox("verify", file)
    assert run.status == 0
    assert "games     2 of 2 replayed without a discrepancy" in run.out
    assert "deals     derived from the secret" in run.out
    assert "points    10.00" in run.out
    assert "The export is consistent with its games." in run.out
    report = firebox("verify", file, "--json").json
    assert (report["games"], report["deals_derived"], report["findings"]) == (2, True, [])


def test_a_forged_export_is_refused_with_every_discrepancy(firebox: Firebox, file: Path) -> None:
    forged = replace(EXPORT, summary=replace(EXPORT.summary, total=50), points=Decimal(99))
    file.write_text(to_json(forged))
    run = firebox("verify", file)
    assert run.status == 1
    assert "2 discrepancies:" in run.out
    assert "  evaluation: the games give 10.00 points, the export says 99" in run.out


def test_verify_names_the_mode_only_of_an_export_in_mode_team(
    firebox: Firebox, tmp_path: Path, file: Path
) -> None:
    played = replace(random_record(variant="ensta"), mode=Mode.TEAM)
    whole = export([played])
    whole = replace(
        whole,
        spec=replace(whole.spec, options=dict(played.options)),
        agents=(AgentRef(interface="ensta-python", sha256="0" * 64),),
    )
    (tmp_path / "team.json").write_text(to_json(whole))
    run = firebox("verify", tmp_path / "team.json")
    assert run.status == 0
    assert "team: one process played all seats of an agent" in run.out
    assert "team:" not in firebox("verify", file).out
