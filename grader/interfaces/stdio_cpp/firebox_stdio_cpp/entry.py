"""The interface ``stdio-cpp``: a program with ``main`` in ``main.cpp``.

The entries that a sandbox's supervisor calls. An agent may execute no other program, so a program
is a shared object here, whose ``main`` is called.
"""

import os
from pathlib import Path
from typing import Final, NoReturn

from firebox_native.objects import ObjectLoadError, load_object
from firebox_stdio.standard import take_standard

__all__ = ["build", "play"]

_FOLDER: Final = Path(__file__).parents[1] / "stdio_cpp"
_EXIT_CRASH: Final = 70
_EXIT_MEMORY: Final = 71
_EXIT_LOAD: Final = 72


def play(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Run the program for one game; it ends the process."""
    status = _EXIT_CRASH
    try:
        take_standard(stdin_fd, stdout_fd)  # before what the program initialises is run
        library = load_object(artefact)
        library.firebox_doing(b"the game")
        library.firebox_main()
    except MemoryError:
        _say("The program needs more memory than it may have.")
        status = _EXIT_MEMORY
    except ObjectLoadError as error:
        _say(f"The program cannot be loaded.\n{error}")
        status = _EXIT_LOAD
    finally:
        os._exit(status)


def build(agent: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Compile."""
    from firebox_cpp.compiler import PROGRAM, Engine, build  # builders only

    build(Engine(folder=_FOLDER, entry="main.cpp", dialect=PROGRAM), agent, stdout_fd)


def _say(text: str) -> None:
    os.write(2, f"{text}\n".encode())
