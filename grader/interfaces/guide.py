"""Facts for the guide's page on an interface; its prose is the ``guide.html`` beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.declaration import Interface

ENDED_AT_ONCE: Final = "Ended at once."
IF_UNCAUGHT: Final = "Uncaught, it ends the game."
LOGGED: Final = "Goes to the game’s log, which you can read in practice."
EXCESSIVE_MEMORY: Final = "More memory than the limit."
OUT_OF_MEMORY: Final = "Ended at once, or by the language’s own error."


@dataclass(frozen=True, slots=True)
class OptionConsequence:
    """An action of a program and its consequence. A test performs each of them."""

    doing: str
    """In a docstring's markup, as is the next."""
    shows: str
    fault: FaultKind | None
    """The fault that ends the game; ``None`` if the game goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfaceGuide:
    """An interface in the guide: a page, or a row on the page about the wire protocol."""

    title: str = ""
    """The page's. Empty: the interface has a row on the page about the protocol."""
    summary: str = ""
    """For the guide's index."""
    consequences: Mapping[str, OptionConsequence] = field(default_factory=dict)
    """Consequences of forbidden or impossible acts. Only those that students of the language
    meet: every kind of fault is on the page of verdicts."""
    entry: str = ""
    """In the row: what is run, in a docstring's markup, as is the next."""
    provided: str = ""
    """In the row: which language and libraries there are."""


def guide_of(interface: Interface) -> InterfaceGuide:
    """Return the guide's data on an interface: empty if it has no ``guide.py``."""
    name = f"{__package__}.{interface.folder.name}.guide"
    if find_spec(name) is None:
        return InterfaceGuide()
    guide: InterfaceGuide = import_module(name).GUIDE
    return guide


IN_PYTHON: Final[Mapping[str, OptionConsequence]] = {
    "thread": OptionConsequence(
        "Starting a thread or a process: ``threading``, ``os.fork``.",
        ENDED_AT_ONCE,
        FaultKind.FORBIDDEN,
    ),
    "program": OptionConsequence(
        "Starting a program: ``subprocess``.", f"``OSError``. {IF_UNCAUGHT}", FaultKind.CRASH
    ),
    "file": OptionConsequence(
        "Opening a file other than those that you submitted, or one to write.",
        f"``OSError``. {IF_UNCAUGHT}",
        FaultKind.CRASH,
    ),
    "network": OptionConsequence(
        "Making a socket.", f"``OSError``. {IF_UNCAUGHT}", FaultKind.CRASH
    ),
    "package": OptionConsequence(
        "Importing, in a function, a package that is not there, such as ``torch``. At the top of a"
        " file, it rejects the upload.",
        f"``ImportError``. {IF_UNCAUGHT}",
        FaultKind.CRASH,
    ),
    "exit": OptionConsequence(
        "``sys.exit``, ``exit``, ``os._exit``.", ENDED_AT_ONCE, FaultKind.CRASH
    ),
    "print": OptionConsequence("``print``.", LOGGED, None),
    "input": OptionConsequence("``input()``.", f"``EOFError``. {IF_UNCAUGHT}", FaultKind.CRASH),
    "exception": OptionConsequence(
        "An uncaught exception.",
        "The traceback.",
        FaultKind.CRASH,
    ),
    "loop": OptionConsequence("An endless loop.", "The line.",
                        FaultKind.TIMEOUT),
    "memory": OptionConsequence(EXCESSIVE_MEMORY, OUT_OF_MEMORY, FaultKind.MEMORY),
}  # fmt: skip
"""For every interface in Python."""
