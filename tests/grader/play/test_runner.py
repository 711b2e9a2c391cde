"""Batches in real sandboxes: builds, games, faults with their evidence, recovery."""

import errno
import json
from dataclasses import replace
from typing import Any

import docker
import pytest

from grader.core.errors import RecordError, SystemFault
from grader.core.games import game_from_options
from grader.core.prints import apart
from grader.core.records import AgentLimits, BatchRequest, FaultKind, GameResult, to_json
from grader.play import runner
from grader.play.batch import Batch, open_batch
from grader.play.players import ProcessPlayer
from grader.play.single import single_sandbox
from grader.play.slot import Slot
from grader.uploads.archive import SourceFile, Sources
from sandbox.control import Build
from sandbox.images import LABEL
from sandbox.open_sandbox import OpenSandbox
from sandbox.scratch import owned_scratch, owner
from tests.support.agents import NOBODY, STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED, confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

SLOT = confined()


def play(request: BatchRequest, *sources: str, slot: Slot = SLOT) -> list[GameResult]:
    with open_batch(request, [packed(source) for source in sources], slot) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def seats(engine: docker.DockerClient) -> list[Any]:
    """This process's containers; other tests have theirs."""
    ours = {"label": [f"{LABEL}=seat", f"{LABEL}.owner={owner()}"]}
    return list(engine.containers.list(all=True, filters=ours))


def test_a_game_is_the_same_in_the_sandbox_and_without_it() -> None:
    request = request_for(range(3), players=3)
    boxed = play(request, STEADY)
    plain = play(request, STEADY, slot=UNCONFINED)
    assert [result.record.actions for result in boxed] == [
        result.record.actions for result in plain
    ]


def test_a_batch_leaves_no_container_behind(docker_engine: docker.DockerClient) -> None:
    before = len(seats(docker_engine))
    play(request_for(range(1)), STEADY)
    assert len(seats(docker_engine)) == before


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


def test_consecutive_faults_stop_a_batch() -> None:
    request = request_for(range(10), max_consecutive_faults=3)
    with open_batch(request, [packed(agent("1 / 0"))], SLOT) as batch:
        results = list(batch.games())
        assert batch.stopped
    assert [result.index for result in results] == [0, 1, 2]


def test_faults_that_are_not_in_a_row_do_not_stop_a_batch() -> None:
    request = request_for([0, 1, 3, 4, 6], max_consecutive_faults=3)
    assert len(play(request, agent("1 / 0"))) == 5


def test_different_agents_sit_at_one_table() -> None:
    faulty = agent("if observation.turn == 3: raise ValueError('mine')")
    request = request_for([0], seating=(0, 1), sha256=(NOBODY, NOBODY))
    (result,) = play(request, STEADY, faulty)
    assert result.record.fault is not None
    assert result.record.fault.seat == 1


def test_a_lost_sandbox_is_replaced_and_the_game_played_again(
    docker_engine: docker.DockerClient,
) -> None:
    reference = play(request_for(range(6)), STEADY)
    with open_batch(request_for(range(6)), [packed(STEADY)], SLOT) as batch:
        results = _with_one_container_killed(batch, docker_engine)
    assert [result.record.actions for result in results] == [
        result.record.actions for result in reference
    ]
    assert all(result.record.fault is None for result in results)


def _with_one_container_killed(batch: Batch, engine: docker.DockerClient) -> list[GameResult]:
    games = batch.games()
    results = [next(games), next(games)]
    seats(engine)[0].kill()
    return results + list(games)


def test_a_sandbox_whose_files_were_removed_is_replaced_and_its_agent_not_blamed() -> None:
    with open_batch(request_for(range(3)), [packed(STEADY)], SLOT) as batch:
        games = batch.games()
        faults = [next(games).record.fault]
        for directory in owned_scratch():
            (directory / "build" / "artefact").unlink(missing_ok=True)
        faults += [result.record.fault for result in games]
    assert faults == [None, None, None]


def test_a_sandbox_without_room_for_the_build_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = [OSError(errno.ENOSPC, "No space left on device")]
    put = OpenSandbox.put_artefact

    def put_unless_full(opened: OpenSandbox, artefact: bytes) -> None:
        if errors:
            raise errors.pop()
        put(opened, artefact)

    monkeypatch.setattr(OpenSandbox, "put_artefact", put_unless_full)
    (result,) = play(request_for([0]), STEADY, slot=UNCONFINED)
    assert errors == []
    assert result.record.fault is None


def test_a_build_from_which_files_were_missing_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    helped = agent("helper.LAST", top="import helper").encode()
    files = (SourceFile("agent.py", helped), SourceFile("helper.py", b"LAST = -1\n"))
    built: list[str] = []
    run = runner._run_build

    def build_without_helper_at_first(opened: OpenSandbox, seconds: float) -> Build:
        if not built:
            (opened.directory.agent / "helper.py").unlink()
        built.append("once")
        return run(opened, seconds)

    monkeypatch.setattr(runner, "_run_build", build_without_helper_at_first)
    with open_batch(request_for([0]), [Sources(files=files).archive()], UNCONFINED) as batch:
        assert [result.record.fault for result in batch.games()] == [None]
    assert len(built) == 2


def test_a_run_of_one_agent_from_which_files_were_missing_is_repeated() -> None:
    runs: list[ProcessPlayer] = []

    def remove_files_at_first(player: ProcessPlayer) -> None:
        if not runs:
            (pool.sandboxes[0].directory.agent / "agent.py").unlink()
        runs.append(player)

    request = request_for([0])
    game = game_from_options(request.game, request.options)
    archive = packed(STEADY)
    with single_sandbox(game, request.agents[0], request.limits, archive, UNCONFINED) as (pool, _):
        pool.run_alone(remove_files_at_first)
    assert len(runs) == 2


def test_a_batch_that_loses_sandboxes_again_and_again_is_given_up(
    docker_engine: docker.DockerClient,
) -> None:
    played: list[int] = []

    def lose_a_seat_after_every_game(batch: Batch) -> None:
        for result in batch.games():
            played.append(result.index)
            seats(docker_engine)[0].kill()

    with (
        open_batch(request_for(range(20)), [packed(STEADY)], SLOT) as batch,
        pytest.raises(SystemFault, match="failure 6 in this batch: SandboxLost"),
    ):
        lose_a_seat_after_every_game(batch)
    assert played == list(range(6))


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
