"""``firebox watch``, as a program whose files are edited while it runs."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

pytestmark = pytest.mark.slow

AGENT = """from firebox import Agent

class Mine(Agent):
    def act(self, observation):
        return observation.legal_actions[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text(AGENT)
    return tmp_path


@pytest.fixture
def watch(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    # A shell starts what runs in its background with this signal ignored.
    interruptible = ["env", "--default-signal=INT"]
    command = [*interruptible, sys.executable, "-m", "grader.cli", "watch", str(folder)]
    options = ["--no-sandbox", "--games", "12", "--set", "strikeout_score=keep"]
    with subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        deadline = Timer(240, process.kill)
        deadline.start()
        yield process
        deadline.cancel()
        process.kill()


def told(watch: "subprocess.Popen[str]") -> str:
    """What it prints until it waits for the next save."""
    assert watch.stdout is not None
    lines = []
    for line in watch.stdout:
        if line.startswith("Watching "):
            return "".join(lines)
        lines.append(line)
    raise AssertionError(f"it ended: {''.join(lines)}")


def test_each_save_is_played_and_compared_until_it_is_interrupted(
    folder: Path, watch: "subprocess.Popen[str]"
) -> None:
    assert "12 games in " in told(watch)
    (folder / "agent.py").write_text(AGENT.replace("[0]", "[-1]"))
    changed = told(watch)
    assert "12 games in " in changed
    assert "This version is " in changed
    assert " over the version before on 12 common deals" in changed
    (folder / "agent.py").write_text(AGENT.replace("return", "retrun"))
    assert "agent.py:5:" in told(watch)
    (folder / "agent.py").write_text(AGENT.replace("[0]", "[10 ** 6]"))
    failed = told(watch)
    assert "IndexError" in failed
    assert "at agent.py:5, in act" in failed
    assert "see it: firebox play" in failed
    (folder / "agent.py").write_text(AGENT)
    assert "This version is " in told(watch)
    (folder / ".hidden").write_text("not the agent's")
    (folder / "README.pdf").write_text("not read")
    assert "Nothing that the agent uses has changed." in told(watch)
    watch.send_signal(signal.SIGINT)
    assert watch.wait(60) == 0
    assert watch.stdout is not None
    assert "Traceback" not in watch.stdout.read()
