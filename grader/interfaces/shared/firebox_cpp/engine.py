"""An engine: the adapter and headers that sources are compiled with, and the compiler's options."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The way in which sources are compiled."""

    standard: tuple[str, ...]
    """The language that agents are written in."""
    code: tuple[str, ...]
    """Options for the code: optimisation and debugging information."""
    inlined: bool = False
    """True if functions may be inlined into others."""
    suffixes: tuple[str, ...] = ()
    """Endings of the files that are compiled, each by itself. None: the adapter includes the entry,
    and the headers are all there is."""


HEADERS: Final = Dialect(
    standard=(
        "-std=c++11", "-fpermissive", "-include", "algorithm", "-include", "cstdlib", "-include",
        "iostream",
    ),
    code=("-O0", "-g1", "-gdwarf-4"),
)  # fmt: skip
"""The old and lenient compiler that courses' agents were written for, with much included already.

No optimisation: a function without its return statement goes on, as it did for its author, and the
lines of a fault are exact. Computing is a small part of a game's time."""

PROGRAM: Final = Dialect(
    standard=("-std=c++17",),
    code=("-O2", "-g", "-gdwarf-4", "-fno-var-tracking"),
    inlined=True,
    suffixes=(".cpp", ".cc", ".cxx"),
)
"""Whole programs, as one compiles them today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The adapter and options that a student's sources are compiled with."""

    folder: Path
    """The folder of ``adapter.cpp`` and the headers that agents include."""
    entry: str
    """The file that a submission must have."""
    dialect: Dialect = HEADERS

    def headers(self) -> frozenset[str]:
        """Names that mean the engine's files, in a submission too."""
        return frozenset(path.name for path in self.folder.glob("*.h"))
