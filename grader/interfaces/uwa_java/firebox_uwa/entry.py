"""The interface ``uwa-java``: agents of the package ``agents`` against the package ``hanabAI``."""

from pathlib import Path
from typing import NoReturn

from firebox_java.seat import serve, translate

_SOURCES = str(Path(__file__).parents[1] / "hanabAI")


def play(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Play games."""
    serve("hanabAI.FireboxAdapter", stdin_fd, stdout_fd)


def build(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Compile."""
    translate(agent, _SOURCES, stdin_fd, stdout_fd)
