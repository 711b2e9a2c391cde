"""Without a sandbox an agent in Python meets the bans of the site, by an audit hook."""

import re
from pathlib import Path

import pytest

from tests.grader.cli.conftest import Firebox

AGENT = """\
from firebox import Agent


class Mine(Agent):
    def act(self, observation):
        {act}
        return observation.legal_actions[0]
"""
_FAULT = re.compile(r"\*\*\* FAULT (\w+) of seat 1 in turn 0.*\n(.*)")


def write_agent(folder: Path, act: str) -> Path:
    (folder / "agent.py").write_text(AGENT.format(act=act), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ("import threading; threading.Thread(target=print).start()", "forbidden"),
        ("import os; os.fork()", "forbidden"),
        ("import os; os.system('true')", "forbidden"),
        ("import subprocess; subprocess.run(['true'])", "crash"),
        ("import socket; socket.socket()", "crash"),
        ("import os; os.kill(os.getppid(), 9)", "crash"),
        ("open('/etc/passwd')", "crash"),
        ("open('notes.txt', 'w')", "crash"),
    ],
)
def test_what_the_site_forbids_ends_a_game_at_home_in_the_same_way(
    act: str, kind: str, firebox: Firebox, tmp_path: Path
) -> None:
    agent = write_agent(tmp_path, act)
    at_home, on_the_site = (firebox("play", agent, *how) for how in (["--no-sandbox"], []))
    faults = [_FAULT.search(run.out) for run in (at_home, on_the_site)]
    assert all(faults), at_home.out
    assert {fault.groups() for fault in faults if fault} == {(kind, faults[0][2])}  # type: ignore[index]
    assert "agent.py:6" in at_home.out


def test_an_agent_reads_its_own_files_and_imports_modules_without_a_sandbox(
    firebox: Firebox, tmp_path: Path
) -> None:
    act = "import decimal, os; assert open('weights.txt').read() == '7'; os.listdir('.')"
    agent = write_agent(tmp_path, act)
    (tmp_path / "weights.txt").write_text("7", encoding="utf-8")
    assert firebox("play", agent, "--no-sandbox").status == 0
