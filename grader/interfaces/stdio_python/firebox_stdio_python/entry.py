"""The interface ``stdio-python``: a program ``main.py``, run as ``__main__``.

The entries that a sandbox's supervisor calls. What many programs import is imported here already,
once for all games.
"""

import atexit
import bisect  # noqa: F401
import builtins
import collections  # noqa: F401
import copy  # noqa: F401
import dataclasses  # noqa: F401
import enum  # noqa: F401
import heapq  # noqa: F401
import itertools  # noqa: F401
import json
import marshal
import math  # noqa: F401
import os
import pathlib  # noqa: F401
import random  # noqa: F401
import re  # noqa: F401
import signal
import sys
import typing  # noqa: F401
from _sitebuiltins import Quitter  # what ``site`` gives programs; it is left out
from contextlib import suppress
from types import FrameType, ModuleType
from typing import Final, NoReturn

import firebox.requirements  # noqa: F401 - builds need it when its file is out of reach
from firebox.faults import explain, locate
from firebox.loading import install
from firebox.sources import Modules, main_compile
from firebox_stdio.standard import take_standard

_ENTRY: Final = "main.py"
_EXIT_CRASH: Final = 70
_EXIT_MEMORY: Final = 71
_EXIT_INTERRUPTED: Final = 74
_DOING: Final = "the game"


def build(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Write the report on the sources and their compiled code. Nothing is run."""
    main_compile(agent_dir, stdout_fd, _ENTRY)


def play(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Run the program for one game, and end the process as the program ends."""
    status = _EXIT_CRASH
    try:
        with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
            modules: Modules = marshal.loads(file.read())  # noqa: S302 - in the agent's own process
        program = _Program(modules, agent_dir)
        signal.signal(signal.SIGUSR1, program.say_where)
        take_standard(stdin_fd, stdout_fd)
        _open_streams()
        status = program.run()
    finally:
        os._exit(status)


def _open_streams() -> None:
    """Open the streams, and write every line immediately, as a terminal would."""
    stdin = open(0, encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
    stdout = open(1, "w", 1, encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
    sys.stdin, sys.stdout = stdin, stdout
    vars(sys).update(__stdin__=stdin, __stdout__=stdout)


class _Program:
    """The student's program in this process."""

    def __init__(self, modules: Modules, agent_dir: str) -> None:
        self._modules = modules
        self._agent_dir = agent_dir

    def run(self) -> int:
        """From its first line to its last; the status to exit with."""
        main = self._main_module()
        code = self._modules["main"][0]
        try:
            exec(code, main.__dict__)  # noqa: S102 - what running a program is
            status = 0
        except SystemExit as end:
            status = _status_of(end)
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises
            status = self._failed(error)
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        return status

    def say_where(self, number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG002
        """Signal handler for a program whose time is over: print where it is, and end."""
        try:
            locate(frame, _DOING, self._modules, self._agent_dir)
        finally:
            os._exit(_EXIT_INTERRUPTED)

    def _main_module(self) -> ModuleType:
        install(self._modules, self._agent_dir)
        file = f"{self._agent_dir.rstrip('/')}/{self._modules['main'][2]}"
        main = ModuleType("__main__")
        main.__dict__.update(__file__=file, __cached__=None, __builtins__=builtins)
        self._former = sys.modules["__main__"]  # kept: its end is not this program's business
        sys.modules["__main__"] = main
        sys.argv[:] = [file]
        for name in ("exit", "quit"):
            setattr(builtins, name, Quitter(name, "end of file"))
        atexit._clear()
        return main

    def _failed(self, error: BaseException) -> int:
        explain(error, _DOING, self._modules, self._agent_dir)
        return _EXIT_MEMORY if isinstance(error, MemoryError) else _EXIT_CRASH


def _status_of(end: SystemExit) -> int:
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    with suppress(OSError, ValueError):
        print(end.code, file=sys.stderr, flush=True)
    return 1


def _warm_up() -> None:
    text = json.dumps({"type": "turn", "legal": [{"type": "play", "card": 0}] * 5, "score": None})
    for _ in range(20):
        json.dumps(json.loads(text))


_warm_up()
