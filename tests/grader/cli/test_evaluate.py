"""``firebox evaluate``: many games on several cores, without a sandbox unless a test says so."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.slots import LocalEvaluation, play_games, slots_for
from grader.core.deals import commitment, deal_seed
from grader.core.errors import SystemFault
from grader.core.records import AgentLimits, GameResult, from_json
from grader.results.evaluation import EvaluationSpec
from grader.results.export import EvaluationExport, verify_export
from tests.grader.cli.conftest import Firebox, Run
from tests.support.slots import UNCONFINED

pytestmark = pytest.mark.slow

Agent = Callable[[str], Path]
SECRET = bytes(range(32))


@pytest.fixture
def evaluate(firebox: Firebox) -> Callable[..., Run]:
    def run(*arguments: object) -> Run:
        return firebox("evaluate", *arguments, "--no-sandbox")

    return run


def test_an_evaluation_is_summed_up_and_its_export_verifies(
    evaluate: Callable[..., Run], tmp_path: Path
) -> None:
    path = tmp_path / "export.json"
    options = ("house:iggi", "--games", 9, "--secret", SECRET.hex())
    run = evaluate(*options, "--output", path)
    assert run.status == 0
    for words in ("agents    house:iggi", "games     9 in ", "% interval", "█"):
        assert words in run.out
    export = from_json(path.read_text(), EvaluationExport)
    assert [result.index for result in export.results] == list(range(9))
    assert export.results[8].record.deal_seed == deal_seed(SECRET, 8).hex()
    report = verify_export(export)
    assert (report.findings, report.deals_derived) == ((), True)
    answer = evaluate(*options, "--json").json
    assert answer["summary"]["n"] == 9
    assert (answer["faults"], answer["stopped_after"]) == ([], None)
    assert answer["commitment"] == commitment(SECRET)


@pytest.mark.usefixtures("every_core")
def test_games_do_not_depend_on_the_number_of_slots(
    evaluate: Callable[..., Run], tmp_path: Path
) -> None:
    actions = []
    for slots in (1, 2):
        path = tmp_path / f"{slots}.json"
        evaluate("house:random_legal", "--games", 8, "--slots", slots, "--output", path)
        export = from_json(path.read_text(), EvaluationExport)
        actions.append([result.record.actions for result in export.results])
    assert actions[0] == actions[1]


@pytest.mark.usefixtures("every_core")
def test_an_evaluation_stops_when_its_interval_is_narrow_enough(
    evaluate: Callable[..., Run], tmp_path: Path
) -> None:
    path = tmp_path / "export.json"
    run = evaluate(
        *("house:outer", "--half-width", 1, "--games", 400, "--slots", 2),
        *("--seed", 3, "--output", path),
    )
    export = from_json(path.read_text(), EvaluationExport)
    assert 50 <= export.summary.n < 400
    assert export.summary.half_width is not None
    assert export.summary.half_width <= 1
    assert len(export.results) == export.summary.n
    assert verify_export(export).ok
    assert f"Stopped after {export.summary.n} of at most 400 games" in run.out


def test_an_evaluation_says_that_its_interval_did_not_become_narrow_enough(
    evaluate: Callable[..., Run],
) -> None:
    run = evaluate("house:iggi", "--half-width", 0.1, "--games", 50)
    assert "The mean was not known to ± 0.1 after 50 games." in run.out


def test_one_game_is_described_in_the_singular(evaluate: Callable[..., Run], agent: Agent) -> None:
    run = evaluate(agent("crashing"), "--games", 1)
    assert "range     0 to 0; 1 game scored 0\n" in run.out
    assert "Fault crash in 1 game: " in run.out


def test_faults_are_grouped_by_cause_with_a_command_that_reproduces_one(
    evaluate: Callable[..., Run], firebox: Firebox, agent: Agent
) -> None:
    run = evaluate(agent("even"), "--games", 10, "--seed", 4)
    assert run.status == 1
    assert "KeyError: 'odd'\n  at agent.py:8, in act\n" in run.out
    command = next(line for line in run.out.splitlines() if "see it:" in line)
    assert f"firebox play {agent('even')} --game hanabi --seed 4" in command
    assert "--no-sandbox --index" in command
    again = firebox(*command.split("firebox ")[1].split())
    assert again.status == 1
    assert "KeyError: 'odd'" in again.out


def test_faults_that_differ_in_figures_are_one_group(
    evaluate: Callable[..., Run], tmp_path: Path
) -> None:
    (tmp_path / "busy.py").write_text(
        "class Agent:\n    def act(self, observation):\n        while True: pass\n"
    )
    run = evaluate(tmp_path / "busy.py", "--games", 4, "--limit", "turn_seconds=0.1", "--json")
    assert [(group["kind"], group["games"]) for group in run.json["faults"]] == [
        ("timeout", [0, 1, 2, 3])
    ]


def test_consecutive_faults_stop_the_evaluation(
    evaluate: Callable[..., Run], agent: Agent, tmp_path: Path
) -> None:
    path = tmp_path / "export.json"
    run = evaluate(agent("crashing"), "--games", 1000, "--slots", 1, "--output", path)
    assert run.status == 1
    assert "Stopped after game 19: 20 faults in a row." in run.out
    export = from_json(path.read_text(), EvaluationExport)
    assert (len(export.results), export.summary.n, export.summary.mean) == (20, 1000, 0)
    assert verify_export(export).ok


def test_an_evaluation_among_other_agents_scores_the_first_one(
    evaluate: Callable[..., Run], agent: Agent
) -> None:
    run = evaluate(agent("late"), "house:iggi", "--games", 2, "--json")
    assert run.json["faults"][0]["games"] == [0, 1]
    assert len(run.json["agents"]) == 2


@pytest.mark.usefixtures("every_core")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--games", "0"], "--games is 0"),
        (["--games", "9" * 20], "at most 1,000,000 games can be played in all"),
        (["--half-width", "0"], "it must be more than 0"),
        (["--half-width", "nan"], "it must be more than 0"),
        (["--slots", "0"], "--slots is 0"),
        (["--slots", "10000"], "usable cores"),
        (["--output", "/nonexistent/x.json"], "cannot write /nonexistent/x.json"),
        (["--output", "/"], "cannot write /"),
    ],
)
def test_wrong_arguments_are_explained(
    firebox: Firebox, arguments: list[str], complaint: str
) -> None:
    run = firebox("evaluate", "house:iggi", "--no-sandbox", *arguments)
    assert run.status == 2
    assert complaint in run.err


def test_a_file_that_cannot_be_written_is_refused_before_the_games(
    firebox: Firebox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def may_its_owner_write(path: Path, _: int) -> bool:  # root may write to every file
        return path.exists() and bool(path.stat().st_mode & 0o200)

    monkeypatch.setattr(os, "access", may_its_owner_write)
    kept, lost, loop = tmp_path / "kept.json", tmp_path / "lost.json", tmp_path / "loop.json"
    kept.touch(0o444)
    lost.symlink_to(tmp_path / "nowhere" / "lost.json")
    loop.symlink_to(loop)
    for path, complaint in (
        (kept, "you may not write to this file"),
        (lost, "its folder does not exist"),
        (loop, "it is a link to itself"),
    ):
        run = firebox("evaluate", "house:iggi", "--no-sandbox", "--games", 1, "--output", path)
        assert (run.status, run.out) == (2, "")
        assert f"cannot write {path}: {complaint}" in run.err


def test_a_file_in_a_folder_that_takes_no_others_can_be_written(
    firebox: Firebox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "export.json"
    path.touch()
    monkeypatch.setattr(os, "access", lambda place, _: place == path)
    run = firebox("evaluate", "house:iggi", "--no-sandbox", "--games", 1, "--output", path)
    assert run.status == 0
    assert firebox("verify", path).status == 0


def test_figures_are_printed_if_the_disk_is_full(firebox: Firebox) -> None:
    output = ("--no-sandbox", "--games", 2, "--output", "/dev/full")
    run = firebox("evaluate", "house:iggi", *output)
    assert run.status == 2
    assert "cannot write /dev/full: No space left on device" in run.err
    assert "games     2 in " in run.out


def test_a_slot_that_dies_is_our_failure() -> None:
    spec = EvaluationSpec(
        game="hanabi", options={"players": 2}, limits=AgentLimits(), seating=(0, 0), n_games=2
    )
    job = LocalEvaluation(spec=spec, agents=(), archives=(), secret=SECRET, slot=UNCONFINED)
    impossible = 1 << 12

    def on_result(result: GameResult) -> None:
        raise AssertionError(result)

    with (
        pytest.raises(SystemFault, match="ended unexpectedly"),
        slots_for(job, [impossible]) as slots,
    ):
        play_games(job, slots, on_result)


@pytest.mark.docker
def test_an_evaluation_in_sandboxes_gives_the_same_scores(firebox: Firebox) -> None:
    confined = firebox("evaluate", "house:iggi", "--games", 10, "--json")
    plain = firebox("evaluate", "house:iggi", "--games", 10, "--json", "--no-sandbox")
    assert confined.status == 0
    assert confined.json["summary"] == plain.json["summary"]
