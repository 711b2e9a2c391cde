"""Sandboxes that stay open for later batches: for which agents, how many, how long."""

import errno
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from grader.core.records import AgentLimits, BatchRequest, GameRequest
from grader.play import sandbox_cache
from grader.play.batch import open_batch
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from sandbox.container import _Users, owned_users
from sandbox.directory import SandboxDirectory
from sandbox.errors import HostError, SandboxLost
from sandbox.open_sandbox import OpenSandbox
from tests.support.agents import NOBODY, STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED, confined

pytestmark = pytest.mark.slow

ONE = request_for([0])


@pytest.fixture
def cache() -> Iterator[SandboxCache]:
    with closing(SandboxCache(4)) as cache:
        yield cache


@pytest.fixture
def slot(cache: SandboxCache) -> Slot:
    return replace(UNCONFINED, sandboxes=cache)


def play(slot: Slot, request: BatchRequest = ONE, sources: Sequence[str] = (STEADY,)) -> list[int]:
    """Play a batch without faults; return the supervisors of its sandboxes."""
    with open_batch(request, [packed(source) for source in sources], slot) as batch:
        assert all(result.record.fault is None for result in batch.games())
        return supervisors(batch._games.pool.sandboxes)


def supervisors(sandboxes: Sequence[object]) -> list[int]:
    return sorted(opened.sandbox.supervisor_pid for opened in sandboxes)  # type: ignore[attr-defined]


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_next_batch_of_an_agent_plays_in_the_same_sandboxes(slot: Slot) -> None:
    first = play(slot)
    assert len(set(first)) == 2
    assert play(slot, request_for([1], evaluation="another", batch="another")) == first


@pytest.mark.parametrize(
    ("request_", "source"),
    [
        (ONE, STEADY + "\n# another agent\n"),
        (request_for([0], limits=AgentLimits(memory_mib=300)), STEADY),
        (request_for([0], limits=AgentLimits(turn_seconds=0.5)), STEADY),
        (replace(ONE, agents=(replace(ONE.agents[0], options=("debug",)),)), STEADY),
    ],
    ids=["agent", "memory", "time", "options"],
)
def test_a_sandbox_is_never_reused_for_another_agent(
    slot: Slot, request_: BatchRequest, source: str
) -> None:
    assert not set(play(slot)) & set(play(slot, request_, [source]))


def test_nothing_of_a_batch_is_in_the_processes_of_the_next(slot: Slot) -> None:
    source = agent("assert 'left' not in vars(firebox)\nfirebox.left = True", top="import firebox")
    source = source.replace("assert", "if observation.turn < 2: assert")
    assert play(slot, ONE, [source]) == play(slot, request_for([1]), [source])


def test_sandboxes_are_kept_while_others_play_in_the_same_batch(slot: Slot) -> None:
    other = STEADY + "\n# the other\n"
    games = tuple(
        GameRequest(index=index, deal_seed=ONE.games[0].deal_seed, seating=(index % 2,) * 2)
        for index in range(4)
    )
    request = replace(request_for([0], seating=(0, 0), sha256=(NOBODY, NOBODY)), games=games)
    with open_batch(request, [packed(STEADY), packed(other)], slot) as batch:
        seen = [supervisors(batch._games.pool.sandboxes) for _ in batch.games()]
    assert seen[0] == seen[2]
    assert seen[1] == seen[3]
    assert not set(seen[0]) & set(seen[1])


def test_the_sandboxes_that_have_waited_longest_are_closed_first() -> None:
    with closing(SandboxCache(2)) as two:
        slot = replace(UNCONFINED, sandboxes=two)
        first, second = (play(slot, ONE, [source]) for source in (STEADY, STEADY + "\n#\n"))
        assert supervisors([opened for _, opened in two._kept]) == second
        assert not set(play(slot)) & set(first)


@pytest.mark.parametrize(("available", "free", "kept"), [(39, 0.9, 2), (40, 0.3, 2), (40, 0.4, 4)])
def test_no_more_are_kept_while_memory_is_short(
    available: int, free: float, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_cache, "scratch_free_share", lambda: free)
    meminfo = tmp_path / "meminfo"
    meminfo.write_text(f"MemTotal:  100 kB\nMemAvailable: {available} kB\nHugePages_Total: 0\n")
    monkeypatch.setattr(sandbox_cache, "_MEMORY", meminfo)
    monkeypatch.setattr(sandbox_cache, "FEW_SANDBOXES", 2)
    with closing(SandboxCache()) as cache:
        slot = replace(UNCONFINED, sandboxes=cache)
        play(slot)
        last = play(slot, ONE, [STEADY + "\n# another agent\n"])
        waiting = supervisors([opened for _, opened in cache._kept])
    assert len(waiting) == kept
    assert set(last) <= set(waiting)


def test_a_sandbox_that_has_been_open_too_long_is_closed(slot: Slot, cache: SandboxCache) -> None:
    first = play(slot)
    for _, opened in cache._kept[:1]:
        opened.opened_at -= 600
    assert len(set(play(slot)) & set(first)) == 1
    for _, opened in cache._kept:
        opened.opened_at -= 600
    cache.close_old()
    assert not set(play(slot)) & set(first)


def test_a_sandbox_that_was_lost_while_it_waited_is_no_loss_of_the_batch(slot: Slot) -> None:
    first = play(slot)
    os.kill(first[0], signal.SIGKILL)
    os.waitid(os.P_PID, first[0], os.WEXITED | os.WNOWAIT)
    with open_batch(ONE, [packed(STEADY)], slot) as batch:
        assert batch._games.retries.losses == 0
        assert len(set(supervisors(batch._games.pool.sandboxes)) & set(first)) == 1


def test_a_sandbox_without_room_for_the_build_is_closed(
    slot: Slot, cache: SandboxCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(slot)
    directories = [opened.directory.path for _, opened in cache._kept]
    put = SandboxDirectory.put_artefact

    def put_unless_full(directory: SandboxDirectory, artefact: bytes) -> None:
        if directory.path in directories:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(directory, artefact)

    monkeypatch.setattr(SandboxDirectory, "put_artefact", put_unless_full)
    play(slot)
    cache.close()
    assert not any(directory.exists() for directory in directories)


def test_a_batch_that_ends_in_an_error_keeps_no_sandboxes(slot: Slot, cache: SandboxCache) -> None:
    with pytest.raises(InterruptedError), open_batch(ONE, [packed(STEADY)], slot):
        raise InterruptedError
    assert cache._kept == []


def test_an_agent_that_a_builder_refused_keeps_no_sandboxes(
    slot: Slot, cache: SandboxCache
) -> None:
    request = replace(ONE, agents=(replace(ONE.agents[0], interface="gcc-cpp"),))
    with open_batch(request, [packed(STEADY)], slot) as batch:
        assert not batch.playable
        assert "Player.h" in batch.builds[0].messages[0].text
    assert cache._kept == []


def test_the_second_loss_in_a_row_closes_the_waiting_sandboxes(
    slot: Slot, cache: SandboxCache
) -> None:
    waiting = play(slot)
    with open_batch(request_for(range(2)), [packed(STEADY + "\n#\n")], slot) as batch:
        games = batch.games()
        next(games)
        os.kill(supervisors(batch._games.pool.sandboxes)[0], signal.SIGKILL)
        assert next(games).record.fault is None
        assert all(map(lives, waiting))
        batch._games.retries.recover([SandboxLost("once"), SandboxLost("twice")])
    assert not any(map(lives, waiting))


@pytest.fixture
def spares() -> Iterator[SandboxCache]:
    with closing(SandboxCache(6, max_spares=2)) as cache:
        yield cache


def spare(cache: SandboxCache) -> list[int]:
    return supervisors([opened for key, opened in cache._kept if key.is_spare])


def test_a_new_agent_takes_spare_sandboxes_and_leaves_new_ones(spares: SandboxCache) -> None:
    slot = replace(UNCONFINED, sandboxes=spares)
    first = play(slot)
    waiting = spare(spares)
    assert len(waiting) == 2
    assert play(slot) == first
    assert spare(spares) == waiting
    for _, opened in spares._kept:
        opened.opened_at -= 600  # the age that counts is its agent's
    assert play(slot, ONE, [STEADY + "\n# another agent\n"]) == waiting
    assert supervisors([opened for key, opened in spares._kept if not key.is_spare]) == waiting
    assert not set(spare(spares)) & set(waiting)


def test_a_sandbox_whose_files_were_removed_while_it_waited_is_not_used(
    spares: SandboxCache,
) -> None:
    slot = replace(UNCONFINED, sandboxes=spares)
    first = play(slot)
    waiting = spare(spares)
    for _, opened in spares._kept:
        next(path for path in opened.directory.adapter.rglob("*.py")).unlink()
    assert not set(play(slot, ONE, [STEADY + "\n# another agent\n"])) & set(waiting)
    assert not set(play(slot)) & set(first)


def test_a_spare_sandbox_has_the_limits_of_the_agents_before(spares: SandboxCache) -> None:
    slot = replace(UNCONFINED, sandboxes=spares)
    play(slot)
    waiting = spare(spares)
    roomy = request_for([1], limits=AgentLimits(memory_mib=300))
    assert not set(play(slot, roomy)) & set(waiting)
    assert {key.limits.memory_mib for key, _ in spares._kept if key.is_spare} == {256, 300}


def test_a_spare_sandbox_that_cannot_be_opened_costs_no_batch(
    spares: SandboxCache, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> OpenSandbox:
        raise HostError("no more")

    slot = replace(UNCONFINED, sandboxes=spares)
    with open_batch(ONE, [packed(STEADY)], slot) as batch:
        spares.stock(fail)
        assert [result.record.fault for result in batch.games()] == [None]
    assert "could not open a spare sandbox: no more" in caplog.text
    assert spare(spares) == []


def test_a_cache_of_size_0_closes_sandboxes() -> None:
    with closing(SandboxCache(0)) as none:
        first = play(replace(UNCONFINED, sandboxes=none))
        none._closing.submit(int).result()
    assert not any(map(lives, first))


@pytest.mark.docker
def test_containers_stay_open_and_are_gone_at_the_end(docker_engine: docker.DockerClient) -> None:
    with closing(SandboxCache(max_spares=2)) as cache:
        slot = replace(confined(), sandboxes=cache)
        first = play(slot)
        assert play(slot, request_for([1])) == first
        waiting = spare(cache)
        assert play(slot, ONE, [STEADY + "\n# another agent\n"]) == waiting
        containers = [opened._container.id for _, opened in cache._kept]  # type: ignore[union-attr]
        assert len(containers) == 6
    for container in containers:
        with pytest.raises(docker.errors.NotFound):
            docker_engine.containers.get(container)


def test_docker_takes_the_user_numbers_of_the_highest_process_number() -> None:
    highest_pid, highest_user_of_docker = 2**22 - 1, 2**31 - 1
    assert owned_users(highest_pid)[-1] <= highest_user_of_docker


def test_no_two_open_containers_have_the_same_user() -> None:
    users = _Users()
    taken = [users.take() for _ in owned_users()]
    assert sorted(taken) == list(owned_users())
    with pytest.raises(HostError, match="256 sandboxes open"):
        users.take()
    users.free(taken[40])
    assert users.take() == taken[40]
