"""The guide's page on ``uwa-java``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    EXCESSIVE_MEMORY,
    IF_UNCAUGHT,
    LOGGED,
    OUT_OF_MEMORY,
    Consequence,
    InterfaceGuide,
)

GUIDE: Final = InterfaceGuide(
    title="Java, package hanabAI",
    summary="As at the University of Western Australia: the types, a whole agent, what differs.",
    consequences={
        "thread": Consequence(
            "Starting a thread: ``Thread``, an executor, ``Timer``.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "parallel": Consequence("A parallel stream.", "It runs in your own thread.", None),
        "program": Consequence(
            "Starting a program: ``ProcessBuilder``, ``Runtime.exec``.",
            f"It throws. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "file": Consequence(
            "Opening a file, to read or to write.",
            f"``IOException``. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "network": Consequence(
            "Making a socket.", f"``IOException``. {IF_UNCAUGHT}", FaultKind.CRASH
        ),
        "exit": Consequence("``System.exit``.", ENDED_AT_ONCE, FaultKind.CRASH),
        "print": Consequence("``System.out.println``.", LOGGED, None),
        "input": Consequence("Reading ``System.in``.", "It is empty.", None),
        "null": Consequence(
            "Returning ``null``, or an action that ``State.legalAction`` refuses. That throws"
            " for a discard while there are 8 hint tokens.",
            "The page says what was wrong with it.",
            FaultKind.ILLEGAL,
        ),
        "exception": Consequence(
            "An exception that you do not catch.",
            "The stack trace, down to your own classes, is on the submission’s page.",
            FaultKind.CRASH,
        ),
        "recursion": Consequence("Endless recursion.", "``StackOverflowError``.", FaultKind.CRASH),
        "loop": Consequence(
            "An endless loop.", "The page says in which line it was.", FaultKind.TIMEOUT
        ),
        "memory": Consequence(EXCESSIVE_MEMORY, OUT_OF_MEMORY, FaultKind.MEMORY),
        "finalizer": Consequence(
            "A method ``finalize()``.",
            "The agent cannot be loaded: such a method would compute outside of your turns.",
            FaultKind.CRASH,
        ),
    },
)
