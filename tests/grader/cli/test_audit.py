"""``firebox audit``, without a sandbox: the sources it finds, its output, its exit status."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit import Conclusion
from grader.cli import main
from grader.cli.agents import load
from grader.cli.files import read_export
from grader.core.records import to_json
from grader.uploads.store import ArtefactStore
from tests.grader.cli.conftest import Firebox, Run
from tests.grader.played import export, random_record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("warm_sandboxes", "short_pauses")]

NOBODYS = export([random_record(index) for index in range(3)])
"""Random games of an agent whose sources nobody has."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of a house agent as they were played."""
    path = tmp_path_factory.mktemp("honest") / "honest.json"
    options = ["--games", "2", "--slots", "1", "--no-sandbox", "--output", str(path)]
    assert main(["evaluate", "house:iggi", *options]) == 0
    return path


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    """Random games that claim to be a house agent's: so no run repeats them."""
    path = tmp_path / "forged.json"
    path.write_text(to_json(replace(NOBODYS, agents=(load("house:iggi").ref,))))
    return path


@pytest.fixture
def ownerless(tmp_path: Path) -> Path:
    path = tmp_path / "ownerless.json"
    path.write_text(to_json(NOBODYS))
    return path


def audit(firebox: Firebox, *arguments: object) -> Run:
    return firebox("audit", *arguments, "--no-sandbox")


def test_house_agents_are_found_by_their_hash_and_repeat_their_moves(
    firebox: Firebox, honest: Path
) -> None:
    run = audit(firebox, honest, "--games", 1)
    assert run.status == 0
    assert "1 game × 2 seats, all moves repeated" in run.out
    answer = audit(firebox, honest, "house:iggi", "--games", 2, "--seed", 5, "--json").json
    assert len(answer["games"]) == 2
    (report,) = answer["reports"]
    assert [seat["conclusion"] for seat in report["seats"]] == [Conclusion.SAME] * 4
    assert report["audit"] == answer["agents"][0]


def test_a_flag_gives_exit_status_1_evidence_and_a_caution(firebox: Firebox, forged: Path) -> None:
    run = audit(firebox, forged, "--games", 1)
    assert run.status == 1
    assert "1 game × 2 seats: 2 flagged" in run.out
    assert "game 0, seat 1, turn " in run.out
    assert "with the game's pauses: " in run.out
    assert "6× " in run.out
    assert "a reason to look, never a verdict" in " ".join(run.out.split())
    more = audit(firebox, forged, "--games", 3)
    assert "3 games × 2 seats: 3 flagged, 3 left out" in more.out


def test_an_audit_asks_for_the_sources_of_those_that_played(
    firebox: Firebox,
    honest: Path,
    ownerless: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FIREBOX_STORE_URL", raising=False)
    runs = {
        "at least one is needed": audit(firebox, honest, "--games", 0),
        "house:outer is not one of the agents that played": audit(firebox, honest, "house:outer"),
        "name the file": audit(firebox, ownerless),
    }
    monkeypatch.setenv("FIREBOX_STORE_URL", str(tmp_path))
    runs[str(tmp_path)] = audit(firebox, ownerless)
    for complaint, run in runs.items():
        assert run.status == 2
        assert complaint in run.err


def test_sources_come_from_the_graders_store(
    firebox: Firebox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(
        "from firebox import Agent\n\nclass Mine(Agent):\n"
        "    def act(self, observation):\n        return observation.legal_actions[-1]\n"
    )
    played = tmp_path / "mine.json"
    firebox("evaluate", agent, "--games", 1, "--slots", 1, "--no-sandbox", "--output", played)
    ArtefactStore(str(tmp_path / "store")).put(load(str(agent)).archive)
    assert read_export(played).agents == (load(str(agent)).ref,)
    monkeypatch.setenv("FIREBOX_STORE_URL", str(tmp_path / "store"))
    assert audit(firebox, played).status == 0


def test_every_agent_of_a_tournament_is_audited_at_its_tables(
    firebox: Firebox, tmp_path: Path
) -> None:
    played = tmp_path / "tournament.json"
    options = ["--players", 2, "--rounds", 2, "--slots", 1, "--no-sandbox", "--output", played]
    firebox("tournament", "house:iggi", "house:outer", *options)
    run = audit(firebox, played, "--games", 1, "--json")
    assert run.status == 0
    reports = run.json["reports"]
    seats = [seat for report in reports for seat in report["seats"]]
    assert sorted(seat["seat"] for seat in seats) == [0, 1]
    assert {seat["conclusion"] for seat in seats} == {Conclusion.SAME}
    assert len(run.json["games"]) == 1


def test_games_against_opponents_are_audited_at_the_seats_that_each_had(
    firebox: Firebox, tmp_path: Path
) -> None:
    played = tmp_path / "hearts.json"
    options = ["--players", 2, "--set", "hands=1", "--games", 1, "--slots", 1, "--no-sandbox"]
    firebox("evaluate", "house:hearts/low_card", "--game", "hearts", "--against",
            "house:hearts/careful", *options, "--output", played)  # fmt: skip
    run = audit(firebox, played, "--games", 1)
    assert run.status == 0, run.err
    assert "1 game × 1 seat, all moves repeated" in run.out
