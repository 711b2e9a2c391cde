"""Entry points of a sandbox's supervisor. An import warms the interpreter up before forks."""

from typing import NoReturn

from .adapter import play_game, warm_up
from .building import main_build, main_trial


def play(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Play one game with the code that ``build`` wrote; ``artefact`` is the path it was put at."""
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        code = file.read()
    play_game(code, agent_dir, stdin_fd, stdout_fd)


def build(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Translate Python 2, find the agent; write the report and the code. Asked again, try it."""
    with open(artefact, "rb") as file:  # noqa: PTH123 - as above
        built = file.read()
    if built:
        main_trial(agent_dir, built, stdout_fd)
    else:
        main_build(agent_dir, stdout_fd)


warm_up()
