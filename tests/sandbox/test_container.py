"""Sandboxes in real containers: what they offer, and their removal after any death."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import docker
import pytest

from grader.hostile.arena import left_over
from sandbox.clock import ProcessClock
from sandbox.container import _require_confinement, owned_containers, reap_containers
from sandbox.container_spec import OOM_SCORE
from sandbox.errors import HostError, ImageMissing, SandboxLost
from sandbox.exits import ExitKind
from sandbox.images import LABEL
from sandbox.scratch import owner, reap_scratch
from sandbox.timeouts import AskFailure, AskFailureKind
from tests.sandbox.stage import container_sandbox
from tests.support.slots import own_core

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

OWNER_THAT_DIES = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [".", "grader/interfaces/python"]
from tests.sandbox.stage import container_sandbox
with container_sandbox("echo", Path(sys.argv[1])) as opened:
    process = opened.sandbox.start_process()
    assert process.ask(b"hello\\n", start=True) == b"hello"
    print(opened.directory.path, opened._container.id, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_sandbox_says_hello_with_what_the_kernel_offers(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        assert opened.hello["pid"] == 1
        assert int(str(opened.hello["landlock"])) >= 1
        assert str(opened.hello["python"]).startswith("3.11")


def test_a_fresh_process_answers_in_every_game(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        for _ in range(20):
            process = opened.sandbox.start_process()
            assert process.ask(b"hello\n", start=True) == b"hello"
            assert process.finish(b"").kind is ExitKind.FINISHED


def test_an_agent_holds_its_five_descriptors_and_no_other(tmp_path: Path) -> None:
    with container_sandbox("descriptors", tmp_path) as opened:
        process = opened.sandbox.start_process()
        assert process.ask(b"?\n", start=True) == b"0 1 2 3 4"
        process.finish(b"")


def test_flags_of_standard_input_are_each_games_own(tmp_path: Path) -> None:
    said = []
    with container_sandbox("flags", tmp_path) as opened:
        for _ in range(3):
            process = opened.sandbox.start_process()
            said.append(process.ask(b"?\n", start=True))
            process.finish(b"")
    assert len(set(said)) == 1, said


def test_a_busy_process_of_the_host_does_not_starve_a_sandbox(tmp_path: Path) -> None:
    """Both want one processor: the sandbox gets most of it."""
    core = own_core()
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        os.sched_setaffinity(busy.pid, {core})
        with container_sandbox("as_asked", tmp_path, core=core) as opened:
            process = opened.sandbox.start_process()
            process.ask(b"0\n", start=True)
            neighbour = ProcessClock(busy.pid)
            before = neighbour.read().ran
            assert process.ask(b"250\n") == b"250"
            ran = neighbour.read().ran - before
            process.finish(b"")
    finally:
        busy.kill()
        busy.wait()
    assert ran < 0.250e9 / 2, ran


def test_a_build_sees_the_sources_and_its_output_comes_back(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("")
    with container_sandbox("artefact_of_build", tmp_path) as opened:
        build = opened.sandbox.build(seconds=5.0, output_bytes=1000)
        assert (build.output, build.timed_out) == (b"agent.py", False)
        opened.put_artefact(build.output)
        process = opened.sandbox.start_process()
        assert process.ask(b"?\n", start=True) == b"agent.py"
        process.finish(b"")


def test_a_build_that_never_ends_is_ended(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path, how={"build": "endless_build"}) as opened:
        build = opened.sandbox.build(seconds=0.3, output_bytes=1000)
        assert build.timed_out
        assert build.exit.kind is ExitKind.KILLED
        process = opened.sandbox.start_process()
        assert process.ask(b"?\n", start=True) == b"?"
        process.finish(b"")


def test_a_build_may_print_more_than_a_pipe_holds(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path, how={"build": "printing_build"}) as opened:
        build = opened.sandbox.build(seconds=5.0, output_bytes=1000)
    assert (build.output, build.timed_out) == (b"built", False)
    assert "bytes left out" in build.exit.stderr


def test_the_output_of_a_build_is_bounded(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path, how={"build": "large_build"}) as opened:
        build = opened.sandbox.build(seconds=5.0, output_bytes=1 << 20)
        assert build.timed_out
        assert len(build.output) <= (1 << 20) + 65536


def test_memory_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    with container_sandbox("hoards", tmp_path) as opened:
        process = opened.sandbox.start_process()
        answer = process.ask(b"?\n", start=True)
        assert isinstance(answer, AskFailure)
        assert answer.kind is AskFailureKind.CLOSED
        assert process.finish(None).kind is ExitKind.MEMORY


def test_the_supervisor_outlives_every_signal_of_an_agent(tmp_path: Path) -> None:
    with container_sandbox("kills_its_parent", tmp_path) as opened:
        for _ in range(2):
            process = opened.sandbox.start_process()
            assert process.ask(b"?\n", start=True) == b"0"
            process.finish(b"")


def test_a_sandbox_is_bound_to_its_core(tmp_path: Path, docker_engine: docker.DockerClient) -> None:
    for core in os.sched_getaffinity(0):
        with container_sandbox("echo", tmp_path, core=core) as opened:
            assert os.sched_getaffinity(opened.sandbox.supervisor_pid) == {core}


def test_a_container_has_the_hardened_settings(
    tmp_path: Path, docker_engine: docker.DockerClient
) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        container = docker_engine.containers.get(opened._container.id)
        host = container.attrs["HostConfig"]
        assert (host["NetworkMode"], host["IpcMode"], host["ReadonlyRootfs"]) == (
            "none", "none", True,
        )  # fmt: skip
        assert container.attrs["Config"]["NetworkDisabled"] is True
        assert (host["CapDrop"], host["Privileged"]) == (["ALL"], False)
        assert "no-new-privileges" in host["SecurityOpt"]
        assert host["Memory"] == host["MemorySwap"] > 0
        assert host["PidsLimit"] <= 8
        assert container.attrs["Mounts"]
        assert all(not mount["RW"] for mount in container.attrs["Mounts"])
        assert not any("docker.sock" in mount["Source"] for mount in container.attrs["Mounts"])


def test_sandboxes_have_users_and_files_of_their_own(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as one, container_sandbox("echo", tmp_path) as other:
        users = {
            Path(f"/proc/{opened.sandbox.supervisor_pid}").stat().st_uid for opened in (one, other)
        }
        assert len(users) == 2
        assert all(user >= 1 << 30 for user in users)
        inodes = {(opened.directory.build / "artefact").stat().st_ino for opened in (one, other)}
        assert len(inodes) == 2


def test_a_lost_container_is_a_lost_sandbox_and_closing_it_frees_everything(
    tmp_path: Path, docker_engine: docker.DockerClient
) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        before = pipes_and_clocks()
        process = opened.sandbox.start_process()
        assert len(pipes_and_clocks() - before) == 4
        docker_engine.containers.get(opened._container.id).kill()
        with pytest.raises(SandboxLost):
            process.finish(None)
        assert pipes_and_clocks() == before
    assert left_over(set()) == []


def pipes_and_clocks() -> set[tuple[str, str]]:
    """Descriptors of this process that belong to games, or that capture its output.

    Other threads of this process may close theirs meanwhile.
    """
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            target = link.readlink().as_posix()
            if target.startswith(("pipe:", "/proc/")):
                found.add((link.name, target))
    return found


def test_nothing_is_left_after_a_sandbox_is_closed(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        containers = owned_containers()
        assert containers == {opened._container.id}
    assert left_over(containers) == []


def test_a_failed_start_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(SandboxLost, match="talkers"),
        container_sandbox("there_is_no_such_talker", tmp_path),
    ):
        pass
    assert left_over(set()) == []


def raising(error: BaseException) -> Callable[..., NoReturn]:
    def run(*_: object) -> NoReturn:
        raise error

    return run


@pytest.mark.parametrize(
    ("place", "instead", "error"),
    [
        ("sandbox.images.image_reference", lambda _: "firebox-python:none", ImageMissing),
        ("sandbox.container._require_confinement", raising(KeyboardInterrupt()), KeyboardInterrupt),
        (
            "sandbox.directory.SandboxDirectory.put_artefact",
            raising(OSError(errno.ENOSPC, "no space left on device")),
            OSError,
        ),
    ],
    ids=["no image", "an interrupt", "a full disk"],
)
def test_what_ends_a_sandbox_while_it_opens_leaves_nothing(
    place: str,
    instead: Callable[..., object],
    error: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(place, instead)
    with pytest.raises(error), container_sandbox("echo", tmp_path):
        pass
    assert left_over(set()) == []


def test_a_process_that_cannot_be_measured_is_ended_and_its_sandbox_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        before = pipes_and_clocks()
        with monkeypatch.context() as blind:
            blind.setattr("sandbox.control.ProcessClock", raising(HostError("no clock")))
            with pytest.raises(HostError, match="no clock"):
                opened.sandbox.start_process()
        assert pipes_and_clocks() == before
        process = opened.sandbox.start_process()
        assert process.ask(b"hello\n", start=True) == b"hello"
        process.finish(b"")


@pytest.mark.parametrize("version", [0, -1, "7", None])
def test_no_agent_is_played_without_landlock(version: object) -> None:
    with pytest.raises(HostError, match="Landlock"):
        _require_confinement({"landlock": version})


def test_containers_of_a_killed_owner_are_removed(
    tmp_path: Path, docker_engine: docker.DockerClient
) -> None:
    victim = subprocess.run(
        [sys.executable, "-c", OWNER_THAT_DIES, str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert victim.returncode == -signal.SIGKILL, victim.stderr
    directory, container = victim.stdout.split()
    assert Path(directory).is_dir()
    with container_sandbox("echo", tmp_path) as living:
        reap_containers()
        reap_scratch()
        process = living.sandbox.start_process()
        assert process.ask(b"still here\n", start=True) == b"still here"
        process.finish(b"")
    assert not Path(directory).exists()
    with pytest.raises(docker.errors.NotFound):
        docker_engine.containers.get(container)


def test_containers_are_labelled_with_their_owner(
    tmp_path: Path, docker_engine: docker.DockerClient
) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        labels = docker_engine.containers.get(opened._container.id).labels
        assert (labels[LABEL], labels[f"{LABEL}.owner"]) == ("seat", owner())


def test_the_kernel_ends_the_agent_first_when_memory_runs_out(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        process = opened.sandbox.start_process()
        process.ask(b"hello\n", start=True)
        supervisor = opened.sandbox.supervisor_pid
        children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text()
        assert oom_score(int(children)) == 1000
        assert oom_score(supervisor) == OOM_SCORE
        process.finish(b"")


@pytest.mark.parametrize("sees_groups", [True, False])
def test_a_process_that_the_host_kills_is_no_fault_of_its_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sees_groups: bool
) -> None:
    if not sees_groups:  # as a worker in a container
        monkeypatch.setattr("sandbox.container.reached_memory_limit", lambda _: None)
    with container_sandbox("echo", tmp_path) as opened:
        process = opened.sandbox.start_process()
        process.ask(b"hello\n", start=True)
        os.kill(process._clock.pid, signal.SIGKILL)
        assert isinstance(process.ask(b"there\n"), AskFailure)
        with pytest.raises(SandboxLost, match="had not reached its memory limit"):
            process.finish(None)


def test_an_agent_whose_container_somebody_freezes_may_have_kept_its_limit(
    tmp_path: Path, docker_engine: docker.DockerClient
) -> None:
    with container_sandbox("echo", tmp_path, turn_seconds=0.1, turn_wall_seconds=0.2) as opened:
        process = opened.sandbox.start_process()
        process.ask(b"hello\n", start=True)
        container = docker_engine.containers.get(opened._container.id)
        container.pause()
        failure = process.ask(b"there\n")
        container.unpause()
        assert isinstance(failure, AskFailure)
        assert (failure.kind, failure.doubtful) == (AskFailureKind.IDLE, True)
        process.finish(None)


def test_a_host_that_shuts_down_ends_no_game(tmp_path: Path) -> None:
    """It sends SIGTERM to every process, and a worker plays its game to the end."""
    with container_sandbox("echo", tmp_path) as opened:
        process = opened.sandbox.start_process()
        process.ask(b"hello\n", start=True)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            os.kill(process._clock.pid, number)
        assert process.ask(b"there\n") == b"there"
        process.finish(b"")


def oom_score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())
