"""The guide's page on ``gcc-cpp``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    EXCESSIVE_MEMORY,
    LOGGED,
    OUT_OF_MEMORY,
    InterfaceGuide,
    OptionConsequence,
)

GUIDE: Final = InterfaceGuide(
    title="C++, Player.h",
    summary="As at Grove City College: the headers, a whole player, what differs.",
    consequences={
        "thread": OptionConsequence(
            "Starting a thread, a process or a program: ``std::thread``, ``std::async``,"
            " ``fork``, ``system``.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "file": OptionConsequence(
            "Opening a file other than those that you submitted, or one to write.",
            "It cannot be opened: ``fopen`` gives ``NULL``, a stream is not ``good()``.",
            None,
        ),
        "exit": OptionConsequence("``exit``, ``abort``.", ENDED_AT_ONCE, FaultKind.CRASH),
        "print": OptionConsequence("``cout``, ``printf``.", LOGGED, None),
        "input": OptionConsequence("Reading ``cin``.", "It is empty.", None),
        "null": OptionConsequence(
            "``ask`` returns ``NULL``, an event that is not an action, or an invalid position.",
            "What it returned.",
            FaultKind.ILLEGAL,
        ),
        "hint": OptionConsequence(
            "A hint without a token, or one that touches no card.",
            "That game is over. The original ended the whole run.",
            FaultKind.ILLEGAL,
        ),
        "exception": OptionConsequence(
            "An uncaught exception.",
            "What was thrown, and where in ``ask`` or ``tell``.",
            FaultKind.CRASH,
        ),
        "recursion": OptionConsequence(
            "A bad pointer, an index outside of an array, endless recursion.",
            "If the computer notices it: the signal, such as SIGSEGV, and the line.",
            FaultKind.CRASH,
        ),
        "loop": OptionConsequence("An endless loop.", "The line.", FaultKind.TIMEOUT),
        "memory": OptionConsequence(EXCESSIVE_MEMORY, OUT_OF_MEMORY, FaultKind.MEMORY),
    },
)
