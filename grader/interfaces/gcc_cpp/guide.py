"""The guide's page on ``gcc-cpp``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    LOGGED,
    OUT_OF_MEMORY,
    Consequence,
    InterfaceGuide,
)

GUIDE: Final = InterfaceGuide(
    title="C++, Player.h",
    summary="As at Grove City College: the headers, a whole player, what differs.",
    shown_files=("gcc_cpp/GameConstants.h", "gcc_cpp/Card.h", "gcc_cpp/Events.h"),
    consequences={
        "thread": Consequence(
            "Starting a thread, a process or a program: ``std::thread``, ``std::async``,"
            " ``fork``, ``system``.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "file": Consequence(
            "Opening a file, to read or to write.",
            "It cannot be opened: ``fopen`` gives ``NULL``, a stream is not ``good()``.",
            None,
        ),
        "exit": Consequence("``exit``, ``abort``.", ENDED_AT_ONCE, FaultKind.CRASH),
        "print": Consequence("``cout``, ``printf``.", LOGGED, None),
        "input": Consequence("Reading ``cin``.", "It is empty.", None),
        "null": Consequence(
            "``ask`` returns ``NULL``, an event that is no action, a position that is none.",
            "What it was is told.",
            FaultKind.ILLEGAL,
        ),
        "hint": Consequence(
            "A hint while there is no token, or that points at no card.",
            "That game is over. The original ended the whole run.",
            FaultKind.ILLEGAL,
        ),
        "exception": Consequence(
            "An exception that you do not catch.",
            "What was thrown, and where ``ask`` or ``tell`` were, is told.",
            FaultKind.CRASH,
        ),
        "recursion": Consequence(
            "A bad pointer, an index outside of an array, calls without end.",
            "If the computer notices: the signal, such as SIGSEGV, and the line.",
            FaultKind.CRASH,
        ),
        "loop": Consequence(
            "A loop without end.", "The page says in which line it was.", FaultKind.TIMEOUT
        ),
        "memory": Consequence("More memory than there is.", OUT_OF_MEMORY, FaultKind.MEMORY),
    },
)
