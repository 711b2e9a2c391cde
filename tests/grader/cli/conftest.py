"""Running the command line as a user does, and agents for it to play."""

import json
import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from grader.cli import main

AGENTS = {
    "first": "return observation.legal_actions[0]",
    "crashing": "raise ValueError('no idea \\x1b[2J')",
    "talking": "print('turn', observation.turn, '\\x1b')\n        "
    "return observation.legal_actions[-1]",
    "late": "if observation.turn >= 4: raise IndexError('lost')\n        "
    "return observation.legal_actions[-1]",
    "even": "if observation.turn == 0 and self.seed % 2: raise KeyError('odd')\n        "
    "return observation.legal_actions[-1]",
}


@dataclass(frozen=True, slots=True)
class Run:
    """The output and the exit status of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Firebox: TypeAlias = Callable[..., Run]


@pytest.fixture(autouse=True)
def _forked_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots are forked from a process that has imported all they need, which takes 0.6 s each time.

    Tests that start ``firebox`` as a program have them started as students do.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["grader.cli.slots"])
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)


@pytest.fixture
def firebox(capsys: pytest.CaptureFixture[str]) -> Firebox:
    def run(*arguments: object) -> Run:
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err)

    return run


@pytest.fixture
def agent(tmp_path: Path) -> Callable[[str], Path]:
    def write(name: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(
            "from firebox import Agent\n\n"
            f"class {name.capitalize()}(Agent):\n"
            "    def start(self, context):\n"
            "        self.seed = context.seed\n\n"
            "    def act(self, observation):\n"
            f"        {AGENTS[name]}\n"
        )
        return path

    return write
