"""What agents must not or cannot do, and what becomes of those that do: tests try each of them.

Only what students of a language meet is listed; every kind of fault is on the page of verdicts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from grader.core.records import FaultKind

__all__ = ["CONSEQUENCES", "Consequence"]

_AT_ONCE: Final = "The program is ended at once."
_UNCAUGHT: Final = "If you do not catch it, it ends the game."
_LOG: Final = "Goes to the game’s log, which you can read if the game ends with a fault."
_MEMORY: Final = "The program is ended, or the language’s own error ends it."


@dataclass(frozen=True, slots=True)
class Consequence:
    """Something that a program does, and what comes of it."""

    doing: str
    """In a docstring's markup, as is the next."""
    shows: str
    fault: FaultKind | None
    """What the game ends with; ``None``: it goes on."""


_PYTHON: Final = {
    "thread": Consequence(
        "Starting a thread or a process: ``threading``, ``os.fork``.",
        _AT_ONCE,
        FaultKind.FORBIDDEN,
    ),
    "program": Consequence(
        "Starting a program: ``subprocess``.", f"``OSError``. {_UNCAUGHT}", FaultKind.CRASH
    ),
    "file": Consequence(
        "Opening a file, to read or to write. Only those that you submitted can be read.",
        f"``OSError``. {_UNCAUGHT}",
        FaultKind.CRASH,
    ),
    "network": Consequence(
        "Making a socket.", f"``OSError``. {_UNCAUGHT}", FaultKind.CRASH
    ),
    "package": Consequence(
        "Importing what is not in Python’s standard library, such as ``numpy``.",
        f"``ImportError``. {_UNCAUGHT}",
        FaultKind.CRASH,
    ),
    "exit": Consequence("``sys.exit``, ``exit``, ``os._exit``.", _AT_ONCE, FaultKind.CRASH),
    "print": Consequence("``print``.", _LOG, None),
    "input": Consequence("``input()``.", f"``EOFError``. {_UNCAUGHT}", FaultKind.CRASH),
    "exception": Consequence(
        "An exception that you do not catch.",
        "The traceback is on the submission’s page.",
        FaultKind.CRASH,
    ),
    "loop": Consequence("A loop without end.", "The page says in which line it was.",
                        FaultKind.TIMEOUT),
    "memory": Consequence("More memory than there is.", _MEMORY, FaultKind.MEMORY),
}  # fmt: skip

CONSEQUENCES: Final[Mapping[str, Mapping[str, Consequence]]] = MappingProxyType(
    {
        "uwa-java": {
            "thread": Consequence(
                "Starting a thread: ``Thread``, an executor, ``Timer``.",
                _AT_ONCE,
                FaultKind.FORBIDDEN,
            ),
            "parallel": Consequence("A parallel stream.", "It runs in your own thread.", None),
            "program": Consequence(
                "Starting a program: ``ProcessBuilder``, ``Runtime.exec``.",
                f"It throws. {_UNCAUGHT}",
                FaultKind.CRASH,
            ),
            "file": Consequence(
                "Opening a file, to read or to write.",
                f"``IOException``. {_UNCAUGHT}",
                FaultKind.CRASH,
            ),
            "network": Consequence(
                "Making a socket.", f"``IOException``. {_UNCAUGHT}", FaultKind.CRASH
            ),
            "exit": Consequence("``System.exit``.", _AT_ONCE, FaultKind.CRASH),
            "print": Consequence("``System.out.println``.", _LOG, None),
            "input": Consequence("Reading ``System.in``.", "It is empty.", None),
            "null": Consequence(
                "Returning ``null``, or an action that ``State.legalAction`` refuses. That throws"
                " for a discard while there are 8 hint tokens.",
                "What was wrong with it is told.",
                FaultKind.ILLEGAL,
            ),
            "exception": Consequence(
                "An exception that you do not catch.",
                "The stack trace, down to your own classes, is on the submission’s page.",
                FaultKind.CRASH,
            ),
            "recursion": Consequence(
                "Calls without end.", "``StackOverflowError``.", FaultKind.CRASH
            ),
            "loop": Consequence(
                "A loop without end.", "The page says in which line it was.", FaultKind.TIMEOUT
            ),
            "memory": Consequence("More memory than there is.", _MEMORY, FaultKind.MEMORY),
            "finalizer": Consequence(
                "A method ``finalize()``.",
                "The agent cannot be loaded: such a method would compute outside of your turns.",
                FaultKind.CRASH,
            ),
        },
        "gcc-cpp": {
            "thread": Consequence(
                "Starting a thread, a process or a program: ``std::thread``, ``std::async``,"
                " ``fork``, ``system``.",
                _AT_ONCE,
                FaultKind.FORBIDDEN,
            ),
            "file": Consequence(
                "Opening a file, to read or to write.",
                "It cannot be opened: ``fopen`` gives ``NULL``, a stream is not ``good()``.",
                None,
            ),
            "exit": Consequence("``exit``, ``abort``.", _AT_ONCE, FaultKind.CRASH),
            "print": Consequence("``cout``, ``printf``.", _LOG, None),
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
            "memory": Consequence("More memory than there is.", _MEMORY, FaultKind.MEMORY),
        },
        "ensta-python": {
            **_PYTHON,
            "move": Consequence(
                "The same move that is not valid, again and again.",
                "``play()`` is asked again, 1000 times at most. The page says which move, and what"
                " was wrong with it.",
                FaultKind.ILLEGAL,
            ),
            "moves": Consequence(
                "Ever other moves that are not valid.",
                "``play()`` is asked again until the turn’s time is over. The page says how"
                " often, and what was wrong with the last move.",
                FaultKind.TIMEOUT,
            ),
            "none": Consequence(
                "``play()`` returns ``None`` or anything else that is no text.",
                "The page says what it returned.",
                FaultKind.CRASH,
            ),
        },
        "cs221-python": {
            **_PYTHON,
            "illegal": Consequence(
                "An action that is not among ``getLegalActions``.",
                "The page says which.",
                FaultKind.ILLEGAL,
            ),
            "none": Consequence(
                "``getAction`` returns ``None`` or anything else that is no action.",
                "The page says what it returned, and what an action looks like.",
                FaultKind.CRASH,
            ),
        },
        "fit2102-haskell": {
            "thread": Consequence(
                "Starting a thread of the system or a program, by a foreign import.",
                _AT_ONCE,
                FaultKind.FORBIDDEN,
            ),
            "own": Consequence(
                "``forkIO``.", "Such a thread runs during your turns only, and is charged.", None
            ),
            "file": Consequence(
                "Opening a file, by ``unsafePerformIO``.",
                f"``IOException``. {_UNCAUGHT}",
                FaultKind.CRASH,
            ),
            "print": Consequence("``Debug.Trace``.", _LOG, None),
            "illegal": Consequence(
                "A card that the rules do not allow, or that is not in the hand.",
                "The page says which, and why.",
                FaultKind.ILLEGAL,
            ),
            "exception": Consequence(
                "``error``, ``head []``, a pattern that does not match.",
                "The message, and where it was thrown.",
                FaultKind.CRASH,
            ),
            "memory text": Consequence(
                "More than 64 KiB to remember, or a text without end.",
                "That it was too long is told.",
                FaultKind.CRASH,
            ),
            "loop": Consequence(
                "A computation without end.",
                "The page says where it was, as far as that is known.",
                FaultKind.TIMEOUT,
            ),
            "memory": Consequence("More memory than there is.", _MEMORY, FaultKind.MEMORY),
        },
    }
)
