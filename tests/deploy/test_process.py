"""Starting and stopping background programs: only our own, and all of each."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes import wait_until

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "dev" / "process.py"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def process(tmp_path: Path) -> Run:
    """Runs process.py with a state directory of the test's own."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"FIREBOX_VAR_DIR": str(tmp_path)}
        return subprocess.run(
            [sys.executable, str(SCRIPT), *arguments],
            check=False,
            capture_output=True,
            text=True,
            env=environment,
        )

    return run


def pid(tmp_path: Path, name: str = "sleeper") -> int:
    number = json.loads((tmp_path / "run" / f"{name}.json").read_text())["pid"]
    assert isinstance(number, int)
    return number


def is_gone(number: int) -> bool:
    """Tell whether a process has ended; in some containers nobody reaps, so a zombie counts."""
    stat = Path(f"/proc/{number}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_program_runs_once_until_it_is_stopped_or_has_another_version(
    process: Run, tmp_path: Path
) -> None:
    speak = ("--", "sh", "-c", "echo hello; sleep 60")
    assert process("start", "sleeper", "--version", "1", *speak).returncode == 0
    assert process("running", "sleeper").returncode == 0
    assert wait_for_text(tmp_path / "log" / "sleeper.log") == "hello\n"
    first = pid(tmp_path)
    process("start", "sleeper", "--version", "1", *speak)
    assert pid(tmp_path) == first
    process("start", "sleeper", "--version", "2", *speak)
    second = pid(tmp_path)
    assert is_gone(first)
    assert not is_gone(second)
    assert process("stop", "sleeper").stdout == "Stopped sleeper.\n"
    assert is_gone(second)
    assert process("running", "sleeper").returncode == 1


def test_a_pid_that_belongs_to_another_process_now_is_left_alone(
    process: Run, tmp_path: Path
) -> None:
    process("start", "sleeper", "--", "sleep", "60")
    file = tmp_path / "run" / "sleeper.json"
    original = json.loads(file.read_text())
    file.write_text(json.dumps(original | {"start_ticks": original["start_ticks"] + 1}))
    assert process("stop", "sleeper").stdout == ""
    assert not is_gone(original["pid"])
    file.write_text(json.dumps(original))
    process("stop", "sleeper")


def test_children_end_with_their_program(process: Run, tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/child; wait"
    process("start", "sleeper", "--", "sh", "-c", script)
    child = number_in(tmp_path / "child")
    process("stop", "sleeper")
    wait_until(lambda: is_gone(child), why="it goes on")


def number_in(file: Path) -> int:
    return int(wait_for_text(file))


def wait_for_text(file: Path) -> str:
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), why="no line came")
    return file.read_text()
