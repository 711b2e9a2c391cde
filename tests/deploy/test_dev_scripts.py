"""The scripts behind `make`: what they find on a machine on which something was killed."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

COMMON = Path(__file__).parents[2] / "deploy" / "dev" / "common.sh"


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


def test_a_pid_file_with_another_programs_number_is_removed(sleeper: int, tmp_path: Path) -> None:
    pid_file = tmp_path / "dockerd.pid"
    pid_file.write_text(str(sleeper))
    forget_ended("dockerd", pid_file)
    assert not pid_file.exists()


@pytest.mark.parametrize("content", ["", "4194999"])
def test_a_pid_file_without_a_live_process_is_removed(content: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "dockerd.pid"
    pid_file.write_text(content)
    forget_ended("dockerd", pid_file)
    assert not pid_file.exists()


def test_no_pid_file_is_no_error(tmp_path: Path) -> None:
    forget_ended("dockerd", tmp_path / "dockerd.pid")


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
