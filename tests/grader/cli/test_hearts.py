"""Commands with a game that is played against others: seats and wins."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.summary import EvaluationAnswer
from grader.core.games import GAMES, game_from_options
from grader.core.records import GameResult, from_json
from grader.house.catalogue import fitting
from grader.results.export import EvaluationExport, verify_export
from tests.grader.cli.conftest import Firebox, Run

pytestmark = pytest.mark.usefixtures("warm_sandboxes")

SHORT = ("--set", "hands=1", "--no-sandbox")
COMPETITIVE = [name for name, game in GAMES.items() if game.competitive]


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(
        "from firebox import Agent\n"
        "from firebox.hearts import Play\n\n"
        "class Mine(Agent):\n"
        "    def act(self, observation):\n"
        "        return observation.legal_actions[0]\n"
    )
    return path


# One game


def test_the_game_is_recognised_from_the_types_that_the_agent_imports(
    firebox: Firebox, agent: Path
) -> None:
    run = firebox("play", agent, *SHORT)
    assert run.status == 0
    assert "game      hearts, rules version" in run.out
    assert "seat 1 passes the " in run.out
    assert "Ended by hands after 64 turns." in run.out
    assert re.search(r"Scores: [\d ]+\. Fewest points win: seats? \d", run.out)


@pytest.mark.parametrize(
    ("beside", "seat", "others"),
    [(["careful"], 2, ["careful"] * 3), (["low_card", "careful", "guarded"], 0, None)],
    ids=["one for all", "one each"],
)
def test_an_agent_sits_among_others(
    firebox: Firebox, agent: Path, beside: list[str], seat: int, others: list[str] | None
) -> None:
    named = [word for name in beside for word in ("--with", f"house:hearts/{name}")]
    run = firebox("play", agent, *named, "--seat", seat + 1, *SHORT)
    names = [f"house:hearts/{name}" for name in others or beside]
    names.insert(seat, str(agent))
    assert f"agents    {', '.join(names)}\n" in run.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--with", "house:hearts/careful", "--seat", "5"], "--seat is 5; seats are 1 to 4"),
        (["--with", "house:hearts/careful"] * 2, "2 agents cannot share 3 other seats"),
        (["--seat", "1"], "--seat needs --with"),
        (["house:hearts/careful", "--with", "house:hearts/careful"], "--with takes one agent"),
        (["--with", "house:iggi"], "the agents play different games: hanabi, hearts"),
        (["--game", "hanabi"], "It plays hearts, not hanabi."),
        (["--game", "kalah"], "is installed by: pip install FOLDER"),
    ],
)
def test_impossible_seats_are_refused_with_the_reason(
    firebox: Firebox, agent: Path, arguments: list[str], complaint: str
) -> None:
    run = firebox("play", agent, *arguments)
    assert run.status == 2
    assert complaint in run.err


# Many games


@pytest.fixture
def evaluate(firebox: Firebox) -> Callable[..., Run]:
    """Evaluates at tables of two: half the processes of four seats, in half the rounds."""

    def run(*arguments: object) -> Run:
        against = ("--against", "house:hearts/low_card", "--against", "house:hearts/careful")
        return firebox("evaluate", *arguments, *against, "--set", "players=2", *SHORT)

    return run


@pytest.mark.slow
def test_an_evaluation_shows_wins_by_opponent(
    evaluate: Callable[..., Run], tmp_path: Path, firebox: Firebox
) -> None:
    path = tmp_path / "export.json"
    run = evaluate("house:hearts/guarded", "--games", 3, "--output", path)
    assert run.status == 0
    assert "games     8 in " in run.out  # 3 are not full rounds
    assert " of the games" in run.out
    assert "house:hearts/low_card" in run.out
    export = from_json(path.read_text(), EvaluationExport)
    assert verify_export(export).ok
    assert export.spec.opponents == ("hearts/low_card", "hearts/careful")
    deals = [result.record.deal_seed for result in export.results]
    assert len(set(deals)) == 2
    assert deals[:4] == deals[4:]
    verified = firebox("verify", path)
    assert verified.status == 0
    assert "hearts/careful" in verified.out
    assert "leads the 2 of clubs" in firebox("replay", path, "--game", 1).out
    assert json.loads(firebox("replay", path, "--game", 1, "--json").out)["steps"]
    run = evaluate("house:hearts/guarded", "--games", 2, "--json")
    answer = from_json(run.out, EvaluationAnswer)
    assert answer.against is not None
    assert [each.games for each in answer.against.opponents] == [2, 2]
    assert answer.against.won.n == 1


@pytest.mark.slow
def test_the_command_for_a_fault_plays_that_very_game(
    evaluate: Callable[..., Run], firebox: Firebox, tmp_path: Path
) -> None:
    (tmp_path / "late.py").write_text(
        "from firebox import Agent\n"
        "from firebox.hearts import Play\n\n"
        "class Late(Agent):\n"
        "    def act(self, observation):\n"
        "        if observation.seat == 1 and observation.tricks_played == 2:\n"
        "            raise KeyError('lost')\n"
        "        return observation.legal_actions[0]\n"
    )
    run = evaluate(tmp_path / "late.py", "--games", 2, "--slots", 1)
    assert run.status == 1
    command = next(line for line in run.out.splitlines() if "see it:" in line)
    assert "--with house:hearts/low_card --seat 2 --index 0" in command
    again = firebox(*command.split("firebox ")[1].split())
    assert again.status == 1
    assert "KeyError: 'lost'" in again.out


def test_an_opponent_of_ones_own_that_fails_is_named_and_shown(
    firebox: Firebox, agent: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older.py"
    older.write_text(agent.read_text().replace("observation.legal_actions[0]", "[][1]"))
    arguments = ("--set", "players=2", *SHORT, "--games", 2, "--slots", 1)
    run = firebox("evaluate", agent, "--against", older, *arguments)
    assert run.status == 1
    assert f"the opponent {older} failed in game 0" in run.err
    assert "IndexError" in run.out
    assert f"--with {older} --seat 1 --index 0" in run.out


@pytest.mark.parametrize("name", COMPETITIVE)
def test_copies_of_one_agent_are_not_measured_nor_opponents_where_all_play_together(
    firebox: Firebox, name: str
) -> None:
    agents = list(fitting(game_from_options(name, {})))
    run = firebox("evaluate", f"house:{agents[0]}", "--game", name)
    assert run.status == 2
    assert "name opponents with --against" in run.err
    assert all(f"house:{agent}" in run.err for agent in agents)
    together = firebox("evaluate", "house:iggi", "--against", "house:piers")
    assert together.status == 2
    assert "Hanabi is cooperative" in together.err


# A folder to begin with


@pytest.mark.slow
@pytest.mark.parametrize("interface", ["python", "stdio-python"])
def test_a_new_folder_can_be_played_at_once(
    firebox: Firebox, tmp_path: Path, interface: str
) -> None:
    made = firebox("new", tmp_path / "mine", "--game", "hearts", "--interface", interface)
    assert made.status == 0
    run = firebox("play", tmp_path / "mine", "--no-sandbox", "--json")
    record = from_json(run.out, GameResult).record
    assert (record.game, record.fault, record.options["players"]) == ("hearts", None, 4)


def test_an_interface_for_one_game_names_that_game(firebox: Firebox, tmp_path: Path) -> None:
    run = firebox("new", tmp_path / "mine", "--interface", "gcc-cpp", "--game", "hearts")
    assert run.status == 2
    assert "its agents play hanabi, not hearts" in run.err
