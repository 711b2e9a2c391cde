"""The interface ``stdio-java``: a class with ``public static void main(String[])``.

The Java half lies in the folder ``stdio_java`` and is compiled together with the program.
"""

from pathlib import Path
from typing import NoReturn

from firebox_java.seat import serve, translate

_SOURCES = str(Path(__file__).parents[1] / "stdio_java")


def play(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Play games."""
    serve("firebox.stdio.FireboxAdapter", stdin_fd, stdout_fd)


def build(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Compile."""
    translate(agent, _SOURCES, stdin_fd, stdout_fd)
