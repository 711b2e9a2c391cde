"""``firebox tournament``: small ones, without a sandbox unless a test says so."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.core.deals import commitment
from grader.core.records import from_json
from grader.tournament import TournamentExport, verify_tournament
from tests.grader.cli.conftest import Firebox, Run

pytestmark = pytest.mark.slow

Agent = Callable[[str], Path]
SECRET = bytes(range(32))


@pytest.fixture
def tournament(firebox: Firebox) -> Callable[..., Run]:
    def run(*arguments: object) -> Run:
        return firebox("tournament", *arguments, "--no-sandbox")

    return run


def test_standings_and_the_table_of_pairs_are_printed(tournament: Callable[..., Run]) -> None:
    run = tournament("house:iggi", "house:outer", "house:random_legal", "house:piers",
                     "--players", 2, "--rounds", 3, "--self-play", 1)  # fmt: skip
    assert run.status == 0
    assert "games     16 in " in run.out
    assert "each      6 games, every pair at 1 tables" in run.out
    assert "adjusted ± 95%" in run.out
    assert "self-play" in run.out
    assert "Mean score of the agent in the row" in run.out


def test_the_file_of_a_tournament_replays_and_verifies_unless_it_was_changed(
    tournament: Callable[..., Run], firebox: Firebox, tmp_path: Path
) -> None:
    path = tmp_path / "tournament.json"
    run = tournament("house:iggi", "house:outer", "house:piers", "--players", 2, "--rounds", 3,
                     "--fill", "house:random_legal", "--secret", SECRET.hex(),
                     "--output", path, "--json")  # fmt: skip
    export = from_json(path.read_text(), TournamentExport)
    assert verify_tournament(export).findings == ()
    assert run.json["commitment"] == export.commitment == commitment(SECRET)
    assert run.json["balance"]["games"] == [6, 6]
    verified = firebox("verify", path)
    assert verified.status == 0
    assert "plan      derived from the secret" in verified.out
    assert "The export is consistent with its games." in verified.out
    assert "Ended by" in firebox("replay", path, "--game", 3).out
    assert firebox("verify", path, "--json").json["plan_derived"] is True
    path.write_text(path.read_text().replace('"place":1', '"place":3'))
    changed = firebox("verify", path)
    assert changed.status == 1
    assert "tournament: the games give another standing for participant" in changed.out


def test_standings_are_printed_if_the_disk_is_full(tournament: Callable[..., Run]) -> None:
    run = tournament("house:iggi", "house:outer", "--rounds", 1, "--output", "/dev/full")
    assert run.status == 2
    assert "cannot write /dev/full: No space left on device" in run.err
    assert "adjusted ± 95%" in run.out


def test_an_agent_that_crashes_is_removed_and_its_games_are_played_without_it(
    tournament: Callable[..., Run], agent: Agent
) -> None:
    run = tournament("house:iggi", "house:outer", "house:piers", agent("crashing"),
                     "--players", 2, "--rounds", 6, "--faults", 2, "--json")  # fmt: skip
    assert run.status == 1
    rows = {row["participant"]: row for row in run.json["standings"]["rows"]}
    assert rows[3]["removal"]["faults"] >= 2
    assert rows[3]["place"] is None
    assert [rows[number]["games"] for number in range(3)] == [12, 12, 12]
    assert run.json["void"] == []


@pytest.mark.usefixtures("every_core")
def test_games_do_not_depend_on_the_number_of_slots(
    tournament: Callable[..., Run], agent: Agent
) -> None:
    standings = []
    for slots in (1, 2):
        run = tournament("house:iggi", "house:random_legal", agent("even"), "--players", 2,
                         "--rounds", 4, "--slots", slots, "--json")  # fmt: skip
        standings.append((run.json["standings"], run.json["cross_play"]))
    assert standings[0] == standings[1]


def test_hearts_is_ranked_by_fewest_points(tournament: Callable[..., Run], agent: Agent) -> None:
    run = tournament(agent("first"), agent("late"), agent("first"), agent("first"),
                     "--game", "hearts", "--set", "hands=1", "--rounds", 2, "--json")  # fmt: skip
    rows = [row for row in run.json["standings"]["rows"] if row["place"]]
    means = [row["mean"]["value"] for row in rows]
    assert means == sorted(means)
    assert {row["participant"] for row in rows} == {0, 2, 3}  # the late one is out
    assert all(row["elo"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--mode", "team"], "every seat has a process of its own"),
        (["--players", "5"], "2 players do not fill a table of 5"),
        (["--rounds", "0"], "rounds is 0"),
        (["--rounds", "9" * 20], "a tournament has at most 1,000,000 games"),
        (["--games", "9" * 20], "at most 1,000,000 can be played"),
        (["--slots", "0"], "--slots is 0"),
        (["--rotated", "--table-games", "3"], "multiple of the seats"),
        (["--output", "/nonexistent/x.json"], "cannot write /nonexistent/x.json"),
    ],
)
def test_wrong_arguments_are_explained(
    tournament: Callable[..., Run], arguments: list[str], complaint: str
) -> None:
    run = tournament("house:iggi", "house:outer", *arguments)
    assert run.status == 2
    assert complaint in run.err


def test_other_commands_do_not_load_linear_algebra() -> None:
    code = "import sys, grader.cli; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_library_is_named_with_the_command_to_install_it(
    tournament: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    run = tournament("house:iggi", "house:outer")
    assert run.status == 2
    assert "firebox[tournament]" in run.err


@pytest.mark.docker
def test_sandboxed_tables_play_the_same_games(firebox: Firebox, tmp_path: Path) -> None:
    actions = []
    for path, *how in ((tmp_path / "boxed.json",), (tmp_path / "plain.json", "--no-sandbox")):
        firebox("tournament", "house:iggi", "house:random_legal", "house:outer", "--players", 2,
                "--rounds", 2, "--table-games", 3, "--output", path, *how)  # fmt: skip
        export = from_json(path.read_text(), TournamentExport)
        actions.append([(each.seating, each.result.record.actions) for each in export.results])
    assert actions[0] == actions[1]
