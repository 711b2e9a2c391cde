"""The door to Docker: it is the only one, and it says what is wrong behind it."""

import ast
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

import docker.errors
import pytest
import requests

import sandbox.engine
from sandbox.container import _cgroup_parent, require_runtime
from sandbox.container_spec import CGROUP_PARENTS
from sandbox.engine import _remove, await_engine, disconnect, engine, has_image
from sandbox.errors import HostError

ROOT = Path(__file__).parents[2]
PACKAGES = ("sandbox", "grader", "webapp")
DOORS = {"sandbox/engine.py", "sandbox/images/build.py", "sandbox/container_spec.py"}
"""Besides the door: the step that builds images, and two value types of the specification."""


class Module(NamedTuple):
    """The imports of a module, and its strings."""

    path: str
    imports: frozenset[str]
    strings: frozenset[str]


@pytest.fixture(scope="module")
def modules() -> list[Module]:
    """Our modules with the word docker in them; parsing all others takes half a second."""
    paths = [path for part in PACKAGES for path in (ROOT / part).rglob("*.py")]
    naming = [path for path in paths if "docker" in path.read_text(encoding="utf-8")]
    assert len(naming) > len(DOORS)
    return list(map(read, naming))


def read(path: Path) -> Module:
    imports, strings = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports.add(node.module or "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
    return Module(path.relative_to(ROOT).as_posix(), frozenset(imports), frozenset(strings))


def test_only_the_sandbox_imports_docker(modules: list[Module]) -> None:
    speakers = {
        module.path
        for module in modules
        if any(name.partition(".")[0] == "docker" for name in module.imports)
    }
    assert speakers == DOORS


def test_the_specification_takes_only_types_from_dockers_package(modules: list[Module]) -> None:
    (spec,) = (module for module in modules if module.path == "sandbox/container_spec.py")
    assert {name for name in spec.imports if name.startswith("docker")} == {"docker.types"}


def test_no_module_starts_the_docker_command_or_opens_its_socket(modules: list[Module]) -> None:
    words = {"docker", "dockerd", "/var/run/docker.sock"}
    assert [module.path for module in modules if words & module.strings] == []


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
class TestHere:
    """Docker on this machine."""

    def test_the_engine_reports_its_version_runtimes_and_security(self) -> None:
        found = engine()
        assert int(found.version.partition(".")[0]) >= 20
        assert "runc" in found.runtimes
        assert found.cgroup_version in {"1", "2"}
        assert found.cgroup_driver in CGROUP_PARENTS
        assert "seccomp" in found.security

    def test_a_missing_image_is_reported_as_missing(self) -> None:
        assert not has_image("firebox-python:000000000000")

    def test_a_runtime_that_docker_lacks_is_refused_with_advice(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FIREBOX_RUNTIME", "runsc")
        with pytest.raises(HostError, match=r"runsc, but Docker here knows only .*daemon\.json"):
            require_runtime()


_FORKED: Final = """
import os
from sandbox import engine
first = engine._client()
assert engine._client() is first
with engine._kept._lock:  # as by another thread while it connects
    if not (child := os.fork()):
        engine.engine()
        os._exit(0 if engine._client() is not first else 3)
assert os.waitpid(child, 0) == (child, 0)
assert engine._client() is first
"""


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_process_keeps_its_connection_and_a_fork_of_it_has_its_own() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _FORKED], env=environment, check=True, timeout=60)


_CLOSED: Final = """
from pathlib import Path
from sandbox import engine
descriptors = lambda: len([*Path("/proc/self/fd").iterdir()])
before = descriptors()
engine.engine()
assert descriptors() > before
engine.disconnect()
assert descriptors() == before
engine.engine()
"""


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_closed_connection_leaves_no_descriptor_and_is_made_again() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _CLOSED], env=environment, check=True, timeout=60)


def without_docker(code: str) -> "subprocess.CompletedProcess[str]":
    """The output of Python code where Docker is missing."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DOCKER_HOST": "unix:///nonexistent.sock", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_an_engine_that_is_away_is_our_error() -> None:
    run = without_docker("from sandbox.engine import engine; engine()")
    assert "sandbox.errors.HostError: Docker does not answer" in run.stderr


@pytest.mark.slow
def test_the_loss_of_the_engine_is_reported_at_once() -> None:
    run = without_docker("from sandbox.engine import await_engine_loss as wait; wait()")
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.slow
def test_an_engine_that_hangs_is_our_error_also_while_another_thread_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = str(tmp_path / "hangs.sock")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{address}")
    monkeypatch.setattr(sandbox.engine, "_ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(sandbox.engine._kept_for_pings, "_seconds", 0.5)
    with socket.socket(socket.AF_UNIX) as hangs, ThreadPoolExecutor() as executor:
        hangs.bind(address)
        hangs.listen()
        waits = executor.submit(engine)
        asks, _ = hangs.accept()
        with asks, pytest.raises(HostError, match="Docker does not answer"):
            await_engine(60)  # the kernel takes the connection, and nobody answers
        assert isinstance(waits.exception(), HostError)


class Ending:
    """A container that ends while it is removed; Docker's answers are those of a real one."""

    def __init__(self, *answers: tuple[int, str]) -> None:
        self.answers = list(answers)

    def remove(self, *, force: bool) -> None:
        assert force
        if self.answers:
            status, text = self.answers.pop(0)
            response = requests.Response()
            response.status_code = status
            raise docker.errors.APIError("refused", response=response, explanation=text)


NOT_RUNNING = (500, "Could not kill running container 7ac6, cannot remove - it is not running")


def test_a_container_that_ended_while_it_was_killed_is_removed_anyway() -> None:
    container = Ending(NOT_RUNNING)
    _remove(container)
    assert container.answers == []


def test_a_container_that_cannot_be_removed_is_an_error_of_the_host() -> None:
    with pytest.raises(HostError, match="could not remove a sandbox: device is busy"):
        _remove(Ending(NOT_RUNNING, (500, "device is busy")))


class Restarting:
    """Docker, which has another driver for control groups after each start."""

    drivers: ClassVar = ["cgroupfs", "systemd"]

    def __init__(self) -> None:
        self._driver = self.drivers.pop(0)

    def info(self) -> dict[str, str]:
        return {"CgroupDriver": self._driver}

    def version(self) -> dict[str, str]:
        return {"Version": "20.10.24"}

    def close(self) -> None:
        pass


def test_the_parent_of_control_groups_is_asked_again_when_docker_has_restarted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disconnect()
    monkeypatch.setattr(sandbox.engine, "_connect", lambda _: Restarting())
    parents = [_cgroup_parent(), _cgroup_parent()]
    disconnect()
    parents.append(_cgroup_parent())
    disconnect()
    assert parents == ["/", "/", "-.slice"]
