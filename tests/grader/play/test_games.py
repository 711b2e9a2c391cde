"""Batches in real sandboxes: builds, games, faults with their evidence."""

import json
from dataclasses import replace

import pytest

from grader.core.errors import RecordError
from grader.core.prints import apart
from grader.core.records import AgentLimits, BatchRequest, FaultKind, GameResult, to_json
from grader.play.batch import open_batch
from grader.play.slot import Slot
from tests.support.agents import NOBODY, STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED, confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine", "warm_sandboxes")]

SLOT = confined()


def play(request: BatchRequest, *sources: str, slot: Slot = SLOT) -> list[GameResult]:
    with open_batch(request, [packed(source) for source in sources], slot) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def test_a_game_is_the_same_in_the_sandbox_and_without_it() -> None:
    request = request_for(range(3), players=3)
    boxed = play(request, STEADY)
    plain = play(request, STEADY, slot=UNCONFINED)
    assert [result.record.actions for result in boxed] == [
        result.record.actions for result in plain
    ]


def test_nothing_survives_in_an_agents_process_from_game_to_game() -> None:
    source = agent(
        "if observation.turn < 2:\n"
        "    assert 'left' not in vars(firebox), 'left over'\n"
        "    firebox.left = True",
        top="import firebox",
    )
    results = play(request_for(range(3)), source)
    assert [result.record.fault for result in results] == [None, None, None]


def test_an_exception_is_a_crash_with_line_turn_and_messages() -> None:
    source = agent("if observation.turn >= 4:\n    print('before')\n    {}['gone']")
    (result,) = play(request_for([0]), source)
    fault, evidence = result.record.fault, result.evidence
    assert fault is not None
    assert evidence is not None
    assert (fault.kind, fault.turn, fault.seat) == (FaultKind.CRASH, 4, 0)
    assert "KeyError" in fault.detail
    assert json.loads(evidence.sent)["turn"] == 4
    assert "before" in evidence.stderr
    assert "agent.py" in evidence.stderr
    assert evidence.exit == "exit status 70"


def test_a_timeout_names_the_line_that_was_running() -> None:
    source = agent("if observation.turn >= 2:\n    while True: pass")
    limits = AgentLimits(turn_seconds=0.3, turn_wall_seconds=0.9)
    (result,) = play(request_for([0], limits=limits), source)
    assert result.evidence is not None
    assert "time was over during turn 2" in result.evidence.stderr
    assert "while True: pass" in result.evidence.stderr
    assert result.evidence.exit == "still running, ended by the sandbox"


def test_sources_that_do_not_compile_are_reported_with_file_and_line() -> None:
    with open_batch(request_for([0]), [packed("def act(:\n    pass\n")], SLOT) as batch:
        assert list(batch.games()) == []
        (report,) = batch.builds
    assert not report.ok
    assert [(message.file, message.line) for message in report.messages] == [("agent.py", 1)]


def test_a_source_that_breaks_the_compiler_is_refused_and_not_our_fault() -> None:
    deep = "x = " + "(" * 100_000 + ")" * 100_000
    with open_batch(request_for([0]), [packed(deep)], SLOT) as batch:
        assert not batch.playable
        assert batch.builds[0].messages


def test_only_consecutive_faults_stop_a_batch() -> None:
    request = request_for(range(10), max_consecutive_faults=3)
    with open_batch(request, [packed(agent("1 / 0"))], SLOT) as batch:
        results = list(batch.games())
        assert batch.stopped
    assert [result.index for result in results] == [0, 1, 2]
    request = request_for([0, 1, 3, 4, 6], max_consecutive_faults=3)
    assert len(play(request, agent("1 / 0"))) == 5


def test_different_agents_sit_at_one_table() -> None:
    faulty = agent("if observation.turn == 3: raise ValueError('mine')")
    request = request_for([0], seating=(0, 1), sha256=(NOBODY, NOBODY))
    (result,) = play(request, STEADY, faulty)
    assert result.record.fault is not None
    assert result.record.fault.seat == 1


def test_a_request_that_contradicts_itself_is_refused() -> None:
    request = request_for([0], seating=(0, 0, 0))
    with pytest.raises(RecordError), open_batch(request, [packed(STEADY)], SLOT):
        pass


def test_results_are_small() -> None:
    (result,) = play(request_for([0]), STEADY)
    assert len(to_json(result)) < 4000


def test_output_is_reported_by_turn() -> None:
    source = agent("print('turn', observation.turn)", start="print('starting')")
    request = replace(request_for([0]), prints_of=(0,))
    (result,) = play(request, source)
    texts = {(each.turn, each.seat): each.text for each in apart(result)[1]}
    assert (texts[-1, 0], texts[0, 0], texts[5, 1]) == ("starting\n", "turn 0\n", "turn 5\n")
