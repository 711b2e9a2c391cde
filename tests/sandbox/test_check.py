"""The checks of a host: all pass under each runtime, and each notices what it is there for."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sandbox.check import NAMES, HostCheck, run_checks
from sandbox.container import open_container
from sandbox.engine import disconnect
from sandbox.errors import HostError
from sandbox.images import IMAGES, image_reference
from tests.sandbox.stage import limits, program
from tests.support.careless_runtime import CarelessRuntime
from tests.support.docker_daemon import DockerDaemon, running_docker

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

FORGOTTEN = {
    "seccomp": {"container.filter", "container.filtered-calls"},
    "no new privileges": {"container.new-privileges"},
    "capabilities": {"container.capabilities"},
    "read-only root": {"container.mounts"},
    "read-only mounts": {"container.mounts"},
    "user": {"container.user"},
    "network": {"container.network"},
    "ipc": {"container.ipc"},
    "shared memory": {"container.shared-memory", "container.writable"},
    "memory": {"container.memory", "container.swap"},
    "swap": {"container.swap"},
    "pids": {"container.pids"},
    "cpuset": {"container.core"},
    "weight": {"container.weight"},
    "ulimits": {"container.ulimits"},
    "oom score": {"container.oom-score"},
    "environment": {"container.environment"},
}
"""What a runtime may leave out, and the checks that must notice."""


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> CarelessRuntime:
    return CarelessRuntime(tmp_path_factory.mktemp("careless"))


@pytest.fixture(scope="module")
def engine_of_our_own(
    docker_engine: object, careless: CarelessRuntime, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DockerDaemon]:
    """A Docker whose `crun` is crun, and whose `runsc` is our careless one."""
    runtimes = {"crun": Path("/usr/bin/crun"), "runsc": careless.path}
    with running_docker(tmp_path_factory.mktemp("docker"), runtimes=runtimes) as daemon:
        yield daemon


@pytest.fixture
def runtime(engine_of_our_own: DockerDaemon, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Everything in this test happens with that Docker."""
    for name, value in engine_of_our_own.settings.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.fixture(scope="module")
def checks_here(docker_engine: object) -> tuple[HostCheck, ...]:
    return run_checks()


def failed() -> dict[str, HostCheck]:
    return {check.name: check for check in run_checks() if not check.ok}


def test_all_checks_are_done_here_and_all_pass(checks_here: tuple[HostCheck, ...]) -> None:
    checks = checks_here
    assert [check for check in checks if not check.ok] == []
    assert {check.name for check in checks} == set(NAMES) - {"container.start", "agent.probes"}
    assert len(checks) == len({check.name for check in checks})


def test_every_check_says_what_to_expect_and_how_to_mend_it(
    checks_here: tuple[HostCheck, ...],
) -> None:
    assert len(checks_here) > 20
    for check in checks_here:
        assert check.tried, check.name
        assert check.expected, check.name
        assert check.happened, check.name
        assert len(check.fix) > 10, check.name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["runc", "crun"])
def test_all_checks_pass_under_every_runtime_here(name: str, runtime: pytest.MonkeyPatch) -> None:
    runtime.setenv("FIREBOX_RUNTIME", name)
    assert failed() == {}


@pytest.mark.slow
@pytest.mark.parametrize("what", FORGOTTEN)
def test_a_runtime_without_a_protection_is_noticed(
    what: str, careless: CarelessRuntime, runtime: pytest.MonkeyPatch
) -> None:
    runtime.setenv("FIREBOX_RUNTIME", "runsc")
    careless.forget(what)
    assert FORGOTTEN[what] <= set(failed())


@pytest.mark.slow
def test_a_runtime_with_all_protections_passes(
    careless: CarelessRuntime, runtime: pytest.MonkeyPatch
) -> None:
    runtime.setenv("FIREBOX_RUNTIME", "runsc")
    careless.forget("nothing")
    assert failed() == {}


@pytest.mark.slow
@pytest.mark.parametrize("what", ["seccomp", "no new privileges", "capabilities"])
def test_no_sandbox_is_opened_in_a_container_that_is_not_confined(
    what: str, careless: CarelessRuntime, runtime: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runtime.setenv("FIREBOX_RUNTIME", "runsc")
    careless.forget(what)
    with pytest.raises(HostError, match="not confined as ordered"):
        open_container(program("echo", tmp_path), limits(), core=None)


def test_the_proxies_of_dockers_command_stay_out_of_sandboxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxies = {"default": {"httpProxy": "http://ada:secret@proxy.example.edu:3128"}}
    (tmp_path / "config.json").write_text(json.dumps({"proxies": proxies}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    disconnect()  # the setting is read with the next connection
    try:
        assert failed() == {}
    finally:
        disconnect()


def test_a_runtime_that_docker_lacks_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_RUNTIME", "runsc")
    assert set(failed()) == {"host.runtime"}


def test_directories_on_a_disk_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.scratch._MEMORY", ())
    (check,) = failed().values()
    assert check.name == "host.scratch"
    assert check.happened.endswith("is on a disk")


def test_a_place_for_directories_that_is_not_there_fails_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIREBOX_SCRATCH", "/nowhere")
    (check,) = failed().values()
    assert check.name == "host.scratch"
    assert "/nowhere" in check.happened


def test_a_place_for_directories_that_is_not_mounted_from_fails_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with TemporaryDirectory(prefix="my scratch", dir="/dev/shm") as place:
        monkeypatch.setenv("FIREBOX_SCRATCH", place)
        (check,) = failed().values()
    assert check.name == "host.scratch"
    assert check.happened.startswith(f"{place} has characters in its name other than letters")


def test_an_image_that_is_missing_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.images.image_reference", lambda _: "firebox-python:000000000000")
    check = failed()["host.image"]
    assert "make images" in check.fix


def test_images_that_the_setting_leaves_out_are_not_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sandbox.images.image_reference", _only_python)
    assert set(failed()) == {"host.image"}
    monkeypatch.setenv("FIREBOX_IMAGES", "python")
    assert failed() == {}


def _only_python(runtime: str) -> str:
    reference = image_reference(runtime)
    return reference if runtime == "python" else f"firebox-{runtime}:000000000000"


def test_a_setting_that_names_an_unknown_image_fails_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIREBOX_IMAGES", "python, cobol")
    check = failed()["host.image"]
    assert check.happened == f"FIREBOX_IMAGES names cobol; there are {', '.join(IMAGES)}"
