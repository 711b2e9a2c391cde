"""The scripts behind `make`: what they find on a machine on which something was killed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.images import ensure_image
from tests.support.docker_daemon import DockerDaemon

COMMON = Path(__file__).parents[2] / "deploy" / "dev" / "common.sh"


ASLEEP = ("python3", "-c", "import time; time.sleep(600)")


def forget_ended(name: str, pid_file: Path) -> None:
    subprocess.run(
        ["bash", "-c", 'source "$0"; forget_ended "$1" "$2"', COMMON, name, pid_file], check=True
    )


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process.pid
        process.kill()


def test_a_running_programs_pid_file_stays(sleeper: int, tmp_path: Path) -> None:
    pid_file = tmp_path / "sleep.pid"
    pid_file.write_text(f"{sleeper}\n")
    forget_ended("sleep", pid_file)
    assert pid_file.read_text() == f"{sleeper}\n"


@pytest.mark.parametrize("content", ["", "4194999", "{sleeper}"])
def test_a_pid_file_without_a_process_of_this_program_is_removed(
    content: str, sleeper: int, tmp_path: Path
) -> None:
    pid_file = tmp_path / "dockerd.pid"
    pid_file.write_text(content.format(sleeper=sleeper))
    forget_ended("dockerd", pid_file)
    assert not pid_file.exists()


def test_no_pid_file_is_no_error(tmp_path: Path) -> None:
    forget_ended("dockerd", tmp_path / "dockerd.pid")


def stop(directory: Path, daemon: DockerDaemon) -> str:
    settings = os.environ | daemon.settings | {"FIREBOX_VAR_DIR": str(directory)}
    script = COMMON.parent / "stop.sh"
    return subprocess.run([script], env=settings, check=True, capture_output=True, text=True).stderr


@pytest.mark.docker
@pytest.mark.slow
def test_make_stop_leaves_a_docker_in_which_others_run(
    own_docker: DockerDaemon, tmp_path: Path
) -> None:
    """A process that the checkout started stands in for its ``dockerd``, which may not end here."""
    var = tmp_path / "var"
    settings = os.environ | {"FIREBOX_VAR_DIR": str(var)}
    process = [sys.executable, COMMON.parent / "process.py"]
    subprocess.run([*process, "start", "docker", "--", "sleep", "600"], env=settings, check=True)
    docker = ["docker", "--host", own_docker.url]
    started = [*docker, "run", "--detach", "--network", "none", ensure_image(), *ASLEEP]
    container = subprocess.run(started, check=True, capture_output=True, text=True).stdout.strip()

    said = stop(var, own_docker)
    assert "Docker stays: 1 other container runs in it." in said
    subprocess.run([*process, "running", "docker"], env=settings, check=True)

    subprocess.run([*docker, "rm", "--force", container], check=True, capture_output=True)
    assert "Docker stays" not in stop(var, own_docker)
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run([*process, "running", "docker"], env=settings, check=True)


def test_screenshots_renew_the_picture_of_the_readme() -> None:
    root = COMMON.parents[2]
    _, _, recipe = (root / "Makefile").read_text().partition("\nscreenshots:")
    copy = re.search(r"^\tcp (\S+) (\S+)$", recipe.partition("\n\n")[0], re.MULTILINE)
    assert copy
    assert f'PICTURES / "{Path(copy[1]).name}"' in (root / "tests/e2e/test_look.py").read_text()
    assert f"]({copy[2]})" in (root / "README.md").read_text()


def test_every_command_of_make_installs_what_it_runs() -> None:
    """In a fresh checkout, or after `make demo`, which installs no tools."""
    text = (COMMON.parents[2] / "Makefile").read_text()
    rules = re.findall(r"^([a-z-]+):([a-z ]*)(?:##.*)?\n((?:\t.*\n)+)", text, re.MULTILINE)
    assert {"lint", "types", "format", "chaos", "images"} <= {target for target, _, _ in rules}
    for target, needs, recipe in rules:
        installed = {*needs.split(), *re.findall("setup.sh (test)", recipe)}
        if "$(BIN)/" in recipe:
            assert installed & {"tools", "ready", "test"}, target
        elif "$(RUN)" in recipe:
            assert installed & {"tools", "ready", "test", "install", "setup"}, target
