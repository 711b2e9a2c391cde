"""Entry points of a sandbox's supervisor. An import warms the interpreter up before forks."""

import importlib
import marshal
from typing import NoReturn

import firebox.requirements  # noqa: F401 - builds need it when its file is out of reach
from firebox.adapter import Process, run, seed_random, warm_up
from firebox.loading import install
from firebox.sources import main_compile

from .seat import RefereeSeat, referee_class


class _Process(Process):
    """Knows how these agents are loaded."""

    def load(self, code: bytes | None) -> RefereeSeat:
        """The agent in its seat, from what was compiled."""
        seed_random(0)  # what a module draws while it is imported is the same in every game
        self.modules = marshal.loads(code or b"")  # noqa: S302 - our own build step wrote it
        install(self.modules, self.agent_dir)
        return RefereeSeat(referee_class(vars(importlib.import_module("agent"))))


def play(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Play one game with the code that ``build`` wrote; ``artefact`` is the path it was put at."""
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        code = file.read()
    run(code, agent_dir, stdin_fd, stdout_fd, _Process)


def build(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Write the report on the sources and their compiled code."""
    main_compile(agent_dir, stdout_fd)


warm_up()
