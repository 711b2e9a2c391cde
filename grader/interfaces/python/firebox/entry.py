"""Entry points of a sandbox's supervisor. An import warms the interpreter up before forks."""

from typing import NoReturn

import firebox.requirements  # noqa: F401 - builds need it when its file is out of reach
from firebox.adapter import run, warm_up
from firebox.sources import main_compile


def play(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Play one game with the code that ``build`` wrote; ``artefact`` is the path it was put at."""
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        code = file.read()
    run(code, agent_dir, stdin_fd, stdout_fd)


def build(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Write the report on the sources and their compiled code."""
    main_compile(agent_dir, stdout_fd)


warm_up()
