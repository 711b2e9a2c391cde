"""The door to Docker: it is the only one, and it says what is wrong behind it."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.container import require_runtime
from sandbox.engine import engine, has_image
from sandbox.errors import HostError

ROOT = Path(__file__).parents[2]
DOORS = {"sandbox/engine.py", "sandbox/images/build.py", "sandbox/recipe.py"}
"""Besides the door: the operator's step that builds images, and the recipe's two value types."""


def naming_docker() -> list[Path]:
    """Our sources with the word in them; parsing all others takes half a second."""
    sources = [
        path for part in ("sandbox", "grader", "webapp") for path in (ROOT / part).rglob("*.py")
    ]
    naming = [path for path in sources if "docker" in path.read_text(encoding="utf-8")]
    assert len(naming) > len(DOORS)
    return naming


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_nobody_else_speaks_to_docker() -> None:
    speakers = {
        path.relative_to(ROOT).as_posix()
        for path in naming_docker()
        if any(name.partition(".")[0] == "docker" for name in imports(path))
    }
    assert speakers == DOORS


def test_the_recipe_takes_only_types_from_dockers_package() -> None:
    names = {name for name in imports(ROOT / "sandbox/recipe.py") if name.startswith("docker")}
    assert names == {"docker.types"}


def test_nobody_starts_the_docker_command_or_opens_its_socket() -> None:
    for path in naming_docker():
        strings = [
            node.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not {"docker", "dockerd", "/var/run/docker.sock"} & set(strings), path


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
class TestHere:
    """Docker on this machine."""

    def test_docker_says_what_it_is(self) -> None:
        found = engine()
        assert int(found.version.partition(".")[0]) >= 20
        assert "runc" in found.runtimes
        assert found.cgroup_version in {"1", "2"}
        assert "seccomp" in found.security

    def test_an_image_that_is_not_there_is_not_there(self) -> None:
        assert not has_image("firebox-python:000000000000")

    def test_a_runtime_that_docker_lacks_is_refused_with_what_to_do(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FIREBOX_RUNTIME", "runsc")
        with pytest.raises(HostError, match=r"runsc, but Docker here knows only .*daemon\.json"):
            require_runtime()


def without_docker(code: str) -> "subprocess.CompletedProcess[str]":
    """What Python code says where no Docker is."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DOCKER_HOST": "unix:///nonexistent.sock", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_engine_that_is_away_is_our_error() -> None:
    run = without_docker("from sandbox.engine import engine; engine()")
    assert "sandbox.errors.HostError: Docker does not answer" in run.stderr


def test_the_loss_of_an_engine_that_is_away_is_told_at_once() -> None:
    run = without_docker("from sandbox.engine import await_engine_loss as wait; wait()")
    assert (run.returncode, run.stderr) == (0, "")
