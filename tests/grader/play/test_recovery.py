"""Sandboxes that are lost, or lose files, in the middle of a batch; none is left behind.

Each test opens its own: it counts containers, or ends them.
"""

import errno
from typing import Any

import docker
import pytest

from grader.core.errors import SystemFault
from grader.core.games import game_from_options
from grader.core.records import BatchRequest, GameResult
from grader.play import building
from grader.play.batch import Batch, open_batch
from grader.play.players import ProcessPlayer
from grader.play.single import single_sandbox
from grader.play.slot import Slot
from grader.uploads.archive import SourceFile, Sources
from sandbox.control import Build
from sandbox.images import LABEL
from sandbox.open_sandbox import OpenSandbox
from sandbox.scratch import owned_scratch, owner
from tests.support.agents import STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED, confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

SLOT = confined()


def play(request: BatchRequest, *sources: str, slot: Slot = SLOT) -> list[GameResult]:
    with open_batch(request, [packed(source) for source in sources], slot) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def seats(engine: docker.DockerClient) -> list[Any]:
    ours = {"label": [f"{LABEL}=seat", f"{LABEL}.owner={owner()}"]}
    return list(engine.containers.list(all=True, filters=ours))


def test_a_batch_leaves_no_container_behind(docker_engine: docker.DockerClient) -> None:
    before = len(seats(docker_engine))
    play(request_for(range(1)), STEADY)
    assert len(seats(docker_engine)) == before


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
    run = building._run_build

    def build_without_helper_at_first(opened: OpenSandbox, seconds: float) -> Build:
        if not built:
            (opened.directory.agent / "helper.py").unlink()
        built.append("once")
        return run(opened, seconds)

    monkeypatch.setattr(building, "_run_build", build_without_helper_at_first)
    with open_batch(request_for([0]), [Sources(files=files).archive()], UNCONFINED) as batch:
        assert [result.record.fault for result in batch.games()] == [None]
    assert len(built) == 2


def test_a_run_of_one_agent_from_which_files_were_missing_is_repeated() -> None:
    runs: list[ProcessPlayer] = []

    def remove_files_at_first(player: ProcessPlayer) -> None:
        if not runs:
            (games.pool.sandboxes[0].directory.agent / "agent.py").unlink()
        runs.append(player)

    request = request_for([0])
    game = game_from_options(request.game, request.options)
    archive = packed(STEADY)
    with single_sandbox(game, request.agents[0], request.limits, archive, UNCONFINED) as (games, _):
        games.run_alone(remove_files_at_first, ())
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
