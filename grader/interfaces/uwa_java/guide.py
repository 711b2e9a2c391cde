"""The guide's page on ``uwa-java``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    EXCESSIVE_MEMORY,
    IF_UNCAUGHT,
    LOGGED,
    OUT_OF_MEMORY,
    InterfaceGuide,
    OptionConsequence,
)

GUIDE: Final = InterfaceGuide(
    title="Java, package hanabAI",
    summary="As at the University of Western Australia: the types, a whole agent, what differs.",
    consequences={
        "thread": OptionConsequence(
            "Starting a thread: ``Thread``, an executor, ``Timer``.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "parallel": OptionConsequence("A parallel stream.", "It runs in your own thread.", None),
        "program": OptionConsequence(
            "Starting a program: ``ProcessBuilder``, ``Runtime.exec``.",
            f"It throws. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "file": OptionConsequence(
            "Opening a file, to read or to write.",
            f"``IOException``. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "network": OptionConsequence(
            "Making a socket.", f"``IOException``. {IF_UNCAUGHT}", FaultKind.CRASH
        ),
        "exit": OptionConsequence("``System.exit``.", ENDED_AT_ONCE, FaultKind.CRASH),
        "print": OptionConsequence("``System.out.println``.", LOGGED, None),
        "input": OptionConsequence("Reading ``System.in``.", "It is empty.", None),
        "null": OptionConsequence(
            "Returning ``null``, or an action that ``State.legalAction`` refuses. That throws"
            " for a discard while there are 8 hint tokens.",
            "What was wrong with it.",
            FaultKind.ILLEGAL,
        ),
        "exception": OptionConsequence(
            "An uncaught exception.",
            "The stack trace, down to your own classes.",
            FaultKind.CRASH,
        ),
        "recursion": OptionConsequence(
            "Endless recursion.", "``StackOverflowError``.", FaultKind.CRASH
        ),
        "loop": OptionConsequence("An endless loop.", "The line.", FaultKind.TIMEOUT),
        "memory": OptionConsequence(EXCESSIVE_MEMORY, OUT_OF_MEMORY, FaultKind.MEMORY),
        "finalizer": OptionConsequence(
            "A method ``finalize()``.",
            "The agent cannot be loaded: such a method would compute outside of your turns.",
            FaultKind.CRASH,
        ),
    },
)
