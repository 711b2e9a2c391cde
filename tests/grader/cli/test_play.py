"""``firebox play``: one game, without a sandbox unless a test says so."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.output import say_unbuildable
from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.records import BuildMessage, BuildReport, GameResult, from_json
from grader.results.replay import replay
from tests.grader.cli.conftest import Firebox

pytestmark = pytest.mark.usefixtures("warm_sandboxes")

Agent = Callable[[str], Path]


def test_a_game_is_printed_turn_by_turn(firebox: Firebox, agent: Agent) -> None:
    run = firebox("play", agent("first"), "--no-sandbox")
    assert run.status == 0
    assert run.err.startswith("WARNING: --no-sandbox runs agents as plain processes")
    assert "game      hanabi, rules version" in run.out
    assert "   0  seat 1 " in run.out
    assert "Ended by strikes" in run.out
    answer = firebox("play", agent("first"), "--no-sandbox", "--json").out
    record = from_json(answer, GameResult).record
    assert replay(record).ending == "strikes"
    assert record.deal_seed == deal_seed(PRACTICE_SECRET, 0).hex()


def test_output_is_printed_below_its_turn(firebox: Firebox, agent: Agent, tmp_path: Path) -> None:
    run = firebox("play", agent("talking"), "--no-sandbox")
    lines = run.out.splitlines()
    (at,) = (number for number, line in enumerate(lines) if "turn 3 \\x1b" in line)
    assert lines[at] == "      seat 2 | turn 3 \\x1b"
    assert lines[at - 1].startswith("   3  seat 2 ")
    kept = tmp_path / "game.json"
    kept.write_text(firebox("play", agent("talking"), "--no-sandbox", "--json").out)
    assert lines[at] in firebox("replay", kept).out.splitlines()
    page = tmp_path / "game.html"
    assert firebox("replay", kept, "--html", page).status == 0
    assert '[3,1,"turn 3 \\\\x1b\\n"]' in page.read_text()


def test_the_same_seed_gives_the_same_game(firebox: Firebox) -> None:
    runs = [
        firebox("play", "house:random_legal", "--no-sandbox", "--json", "--seed", 7, "--index", 3)
        for _ in range(2)
    ]
    first, second = (from_json(run.out, GameResult).record for run in runs)
    assert (first.actions, first.deal_seed) == (second.actions, second.deal_seed)


@pytest.mark.parametrize("secret", [bytes(range(32)), PRACTICE_SECRET], ids=len)
def test_the_secret_and_the_index_choose_the_deal(
    firebox: Firebox, agent: Agent, secret: bytes
) -> None:
    path = agent("first")
    seed = deal_seed(secret, 5).hex()
    by_deal = firebox("play", path, "--no-sandbox", "--json", "--deal", seed)
    by_secret = firebox(
        "play", path, "--no-sandbox", "--json", "--secret", secret.hex(), "--index", 5
    )
    assert {from_json(run.out, GameResult).record.deal_seed for run in (by_deal, by_secret)} == {
        seed
    }


@pytest.mark.slow
def test_rules_can_be_changed(firebox: Firebox, agent: Agent) -> None:
    run = firebox(
        "play", agent("first"), "--no-sandbox", "--json", "--variant", "ensta", "--players", 4,
        "--set", "lives=2", "--set", "draw_position=slot",
    )  # fmt: skip
    options = from_json(run.out, GameResult).record.options
    assert (options["variant"], options["players"], options["lives"]) == ("ensta", 4, 2)
    assert options["draw_position"] == "slot"


@pytest.mark.slow
def test_several_agents_take_a_seat_each(firebox: Firebox, agent: Agent) -> None:
    run = firebox("play", agent("first"), "house:iggi", agent("first"), "--no-sandbox", "--json")
    result = from_json(run.out, GameResult)
    assert result.record.options["players"] == 3
    assert len(result.max_charged_us) == 3


def test_a_fault_is_shown_with_its_evidence(firebox: Firebox, agent: Agent) -> None:
    run = firebox("play", agent("late"), "--no-sandbox")
    assert run.status == 1
    assert "*** FAULT crash of seat 1 in turn 4" in run.out
    assert '"type":"turn","turn":4' in run.out
    assert "IndexError: lost\n  at agent.py:8, in act\n" in run.out
    assert "Its process: exit status" in run.out
    printed = firebox("play", agent("crashing"), "--no-sandbox").out
    assert "no idea \\x1b[2J" in printed  # agents do not control the terminal
    assert "\x1b" not in printed


def test_a_program_that_ends_without_an_error_is_reported_as_having_ended_itself(
    firebox: Firebox, tmp_path: Path
) -> None:
    source = (
        "import os\nfrom firebox import Agent\nclass A(Agent):\n    def act(self, o): os._exit(0)\n"
    )
    (tmp_path / "a.py").write_text(source)
    run = firebox("play", tmp_path / "a.py", "--no-sandbox")
    assert "ended during the game: the program ended itself (exit status 0)" in run.out


@pytest.mark.slow
def test_a_slow_start_is_a_fault_before_the_first_turn(firebox: Firebox, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("while True: pass\n")
    run = firebox("play", tmp_path / "slow.py", "--no-sandbox", "--limit", "start_seconds=0.3")
    assert run.status == 1
    assert "*** FAULT timeout of seat 1 while starting ***" in run.out


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "evaluate", "tournament"])
def test_a_source_that_does_not_compile_is_shown_with_its_line(
    firebox: Firebox, tmp_path: Path, command: str
) -> None:
    (tmp_path / "broken.py").write_text("class Agent:\n    def act(self\n")
    others = ["house:iggi"] * (command == "tournament")
    run = firebox(command, tmp_path / "broken.py", *others, "--no-sandbox")
    assert run.status == 1
    assert "broken.py cannot be run:" in run.out
    assert "agent.py:2:12: '(' was never closed" in run.out


@pytest.mark.slow
@pytest.mark.parametrize("command", [["play"], ["evaluate", "--games", 1, "--json"]], ids=str)
def test_a_file_that_was_left_out_is_named(
    firebox: Firebox, agent: Agent, tmp_path: Path, command: list[object]
) -> None:
    agent("first").rename(tmp_path / "agent.py")
    (tmp_path / "scratch.py").write_text("def f(:\n")
    run = firebox(*command, tmp_path, "--no-sandbox")
    assert run.status == 0
    assert "scratch.py:1:7: not used, for the agent imports nothing from this file" in run.err
    assert "scratch.py" not in run.out


@pytest.mark.slow
@pytest.mark.parametrize("command", [["play"], ["evaluate", "--games", 1]], ids=str)
def test_several_agents_in_a_folder_are_a_question(
    firebox: Firebox, tmp_path: Path, command: list[object]
) -> None:
    for name in ("First", "Second"):
        (tmp_path / f"{name.lower()}.py").write_text(
            f"from hanabi.ai import AI\n\nclass {name}(AI):\n    def play(self):\n"
            "        return 'd1' if self.game.blue_coins < 8 else 'c1'\n"
        )
    run = firebox(*command, tmp_path, "--no-sandbox", "--variant", "ensta")
    assert run.status == 1
    assert "there are several agents (First in first.py, Second in second.py)" in run.out
    named = firebox(*command, tmp_path, "--no-sandbox", "--variant", "ensta", "--class", "Second")
    assert "several agents" not in named.out + named.err


def test_json_has_the_messages_on_a_source_that_does_not_compile(
    firebox: Firebox, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("def\n")
    run = firebox("play", tmp_path / "broken.py", "--no-sandbox", "--json")
    assert run.status == 1
    assert run.json["builds"][0]["messages"][0]["line"] == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.py"], "cannot read the agent nowhere.py: No such file"),
        (["house:nobody"], "there is no house agent 'nobody'; there are random_legal"),
        (["house:careful"], "did you mean house:hearts/careful?"),
        (["house:iggi", "house:iggi", "--players", "3"], "2 agents cannot share 3 seats"),
        (["house:iggi", "--players", "9"], "players"),
        (["house:iggi", "--set", "lives"], "'lives' is not of the form NAME=VALUE"),
        (["house:iggi", "--set", "lives=" + "[" * 100_000], "lives: its value is nested too"),
        (["house:iggi", "--set", "wings=2"], "wings"),
        (["house:iggi", "--variant", "chess"], "chess"),
        (["house:iggi", "--deal", "xy"], "--deal: non-hexadecimal"),
        (["house:iggi", "--deal", "00"], "--deal has 64 hexadecimal digits, not 2"),
        (["house:iggi", "--secret", "00"], "--secret: an evaluation secret has at least 16"),
        (["house:iggi", "--secret", b"firebox blocks v1".hex()], "--secret: a secret of blocks"),
        (["house:iggi", "--secret", "00" * 16, "--seed", "1"], "not allowed with argument"),
        (["house:iggi", "--index", "-1"], "--index is -1"),
        (["house:iggi", "--index", str(1 << 64)], "--index: a game index lies between 0 and 2^64"),
        (["house:iggi", "--limit", "patience=3"], "there is no limit 'patience'"),
        (["house:iggi", "--limit", "memory_mib=0.5"], "it must be a whole number"),
        (["house:iggi", "--limit", "turn_seconds=fast"], "it must be a number"),
        (["house:iggi", "--limit", "turn_seconds=true"], "it must be a number"),
        (["house:iggi", "--limit", "turn_seconds=1e9"], "turn_seconds must lie between"),
    ],
)
def test_wrong_arguments_are_explained(
    firebox: Firebox, arguments: list[str], complaint: str
) -> None:
    run = firebox("play", *arguments)
    assert run.status == 2
    assert complaint in run.err
    assert run.out == ""


@pytest.mark.docker
def test_a_game_in_sandboxes_is_the_same_as_one_without(firebox: Firebox) -> None:
    confined = firebox("play", "house:iggi", "--json")
    assert confined.status == 0
    assert "WARNING" not in confined.err
    plain = firebox("play", "house:iggi", "--json", "--no-sandbox")
    records = [from_json(run.out, GameResult).record for run in (confined, plain)]
    assert records[0].actions == records[1].actions


@pytest.mark.parametrize(
    ("name", "other", "said"),
    [
        ("Player.h", "parts/Hand.h", "parts/Hand.h: No such file or directory"),
        (
            "Agent1.java",
            "Helper.java",
            "cannot find symbol\n  symbol:   class Helper\n  location: x",
        ),
    ],
)
def test_a_file_that_is_beside_the_only_one_that_was_named_is_pointed_at(
    tmp_path: Path, name: str, other: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text("")
    message = BuildMessage(file=name, line=1, column=1, text=said)
    build = BuildReport(ok=False, messages=(message,))
    say_unbuildable([str(path)], [build], as_json=False)
    assert "lies beside it" not in capsys.readouterr().out
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).write_text("")
    say_unbuildable([str(path)], [build], as_json=False)
    expected = f"{other} lies beside it: to play with all files, play the folder.\n"
    assert capsys.readouterr().out.endswith(expected)


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_person_plays_to_the_end(
    firebox: Firebox, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "h9R", *["p0"] * 20)
    run = firebox("play", agent("first"), "--me", 2, "--no-sandbox", "--seed", 5)
    assert run.status == 0
    assert "seat 1    " in run.out
    assert "'h9r' is not among the moves above" in run.err
    assert "  p0    Play card 1\n" in run.out
    assert "Seat 1 " in run.out
    assert "ended     strikes" in run.out


def test_a_person_sees_no_card_of_their_own(
    firebox: Firebox, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "q")
    run = firebox("play", agent("first"), "--me", "--no-sandbox", "--seed", 5)
    assert run.status == 0
    assert "  seat 1     ??           ??           ??           ??           ??\n" in run.out
    assert run.out.endswith("You left the game.\n")


def test_a_person_is_told_once_what_was_left_out_of_an_agent(
    firebox: Firebox, agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    agent("first").rename(tmp_path / "mine" / "agent.py")
    (tmp_path / "mine" / "scratch.py").write_text("print(\n")
    (tmp_path / "mine" / "report.pdf").touch()
    typing(monkeypatch, "q")
    run = firebox("play", tmp_path / "mine", "--me", "--players", 3, "--no-sandbox")
    assert run.err.count("not used: 'report.pdf'") == 1
    assert run.err.count("scratch.py:1:6: not used") == 1


def test_a_person_gets_a_new_deal_each_time_unless_one_is_named(
    firebox: Firebox, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deal(*named: object) -> str:
        typing(monkeypatch, *["p0"] * 20)
        run = firebox("play", agent("first"), "--me", "--no-sandbox", *named)
        return next(line for line in run.out.splitlines() if line.startswith("deal "))

    assert deal() != deal()
    assert deal("--index", 0) == f"deal      {deal_seed(PRACTICE_SECRET, 0).hex()}"


def test_a_fault_of_ones_own_agent_is_shown_to_the_person(
    firebox: Firebox, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "p0")
    run = firebox("play", agent("crashing"), "--me", "--no-sandbox", "--seed", 5)
    assert run.status == 1
    assert "Fault: crash of seat 2 in turn 1" in run.out
    assert "ValueError: no idea \\x1b[2J" in run.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--me", "9"), "--me is 9; seats are 1 to 2"),
        (("--me", "--json"), "--json cannot be combined with --me"),
        (("--me", "--seat", "1"), "write the seat after it: --me 1"),
        (("--me", "--players", "4"), None),
        (("house:iggi", "--me", "--players", "5"), "2 agents cannot share 4 other seats"),
        (("--me", "first.py"), "write --me after the agents"),
    ],
)
def test_a_person_is_told_why_an_action_is_refused(
    firebox: Firebox,
    agent: Agent,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str | None,
) -> None:
    typing(monkeypatch)
    run = firebox("play", agent("first"), *arguments, "--no-sandbox")
    assert run.status == (0 if said is None else 2)
    assert (said or "") in run.err


def test_a_game_goes_on_from_a_turn_of_a_recorded_one(
    firebox: Firebox, agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(firebox("play", "house:piers", "--no-sandbox", "--json").out)
    there = from_json(kept.read_text(), GameResult).record
    named = (agent("first"), "--no-sandbox", "--from", kept)
    run = firebox("play", *named, "--turn", 12, "--json")
    here = from_json(run.out, GameResult).record
    assert replay(here).ending == here.ending
    assert here.deal_seed == there.deal_seed
    assert here.actions.split()[:12] == there.actions.split()[:12]
    assert set(here.actions.split()[12:]) == {"p0"}
    typing(monkeypatch, "q")
    run = firebox("play", *named, "--turn", 5, "--me", 2)
    assert "turn 5, seat 2 to act" in run.out
    for arguments, said in (
        ((), "--from needs --turn"),
        (("--turn", 900), "--from needs --turn with a turn of the game, from 0 to"),
        (("--turn", 3, "--players", 3), "has rules and a deal of its own"),
    ):
        run = firebox("play", *named, *arguments)
        assert (run.status, said in run.err) == (2, True)
    assert "--turn needs --from" in firebox("play", agent("first"), "--turn", 3).err
