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


def test_a_started_program_runs_until_it_is_stopped(process: Run, tmp_path: Path) -> None:
    assert process("start", "sleeper", "--", "sleep", "60").returncode == 0
    assert process("running", "sleeper").returncode == 0
    number = pid(tmp_path)
    assert process("stop", "sleeper").stdout == "Stopped sleeper.\n"
    assert is_gone(number)
    assert process("running", "sleeper").returncode == 1


def test_starting_twice_starts_once(process: Run, tmp_path: Path) -> None:
    process("start", "sleeper", "--", "sleep", "60")
    first = pid(tmp_path)
    process("start", "sleeper", "--", "sleep", "60")
    assert pid(tmp_path) == first
    process("stop", "sleeper")


def test_another_version_replaces_the_running_one(process: Run, tmp_path: Path) -> None:
    process("start", "sleeper", "--version", "1", "--", "sleep", "60")
    first = pid(tmp_path)
    process("start", "sleeper", "--version", "2", "--", "sleep", "60")
    assert is_gone(first)
    assert not is_gone(pid(tmp_path))
    process("stop", "sleeper")


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


def test_output_goes_to_the_log(process: Run, tmp_path: Path) -> None:
    process("start", "speaker", "--", "sh", "-c", "echo hello; sleep 60")
    assert wait_for_text(tmp_path / "log" / "speaker.log") == "hello\n"
    process("stop", "speaker")


def number_in(file: Path) -> int:
    return int(wait_for_text(file))


def wait_for_text(file: Path) -> str:
    """Return a file's text as soon as it has a whole line."""
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), why="no line came")
    return file.read_text()


def test_a_programs_files_are_readable_by_its_user_only(process: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    database = tmp_path / "database"
    process("start", "writer", "--", "sh", "-c", f"mkdir {database}; sleep 60")
    wait_until(database.exists, why="nothing was written")
    process("stop", "writer")
    paths = [tmp_path, database, tmp_path / "log" / "writer.log", tmp_path / "run"]
    assert [oct(path.stat().st_mode & 0o077) for path in paths] == ["0o0"] * 4
