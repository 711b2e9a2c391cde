"""Declarations of interfaces: the values that the ``interface.py`` of a folder is written with."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from re import Pattern
from typing import Final

from grader.core.records import Mode
from grader.uploads.archive import UploadShape
from sandbox.program import Adapter, Runtime

__all__ = [
    "FIXED_OPTIONS",
    "Adapter",
    "Allowance",
    "BuildSteps",
    "Family",
    "Interface",
    "KitLibrary",
    "KnownRules",
    "Markers",
    "Mode",
    "Runtime",
    "UploadShape",
    "marker",
]

_HERE: Final = Path(__file__).parent
_PYTHON: Final = Runtime()
FIXED_OPTIONS: Final = ("hand_size", "hint_tokens", "misplay", "last_round", "draw_position")
"""Options that the agents of every course have built in."""


class Family(Enum):
    """Where agents of this kind come from, in the order in which people are offered them."""

    LIBRARY = "library"
    """Classes of Firebox's own. The first interface, which is the default, is of this family."""
    COURSE = "course"
    """A course's own types: its agents were written for certain rules, and play unchanged."""
    PROGRAM = "program"
    """Whole programs that speak the wire protocol by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Signs that tell the sources of an interface's agents from those of all others."""

    required: tuple[Pattern[bytes], ...]
    """All of these are there, each in some file."""
    weak: Pattern[bytes] | None = None
    """A sign of its agents where no interface's required markers are found: for example a
    misspelt method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRules:
    """The rules that an interface's agents were written for. Empty: they are told any rules."""

    game: str = ""
    """The game that its agents play; empty: all games."""
    variant: str = ""
    """The variant; empty: any."""
    fixed_options: tuple[str, ...] = FIXED_OPTIONS
    """Options of the variant that its types and its bookkeeping have built in."""
    players: tuple[int, ...] = ()
    """How many seats a game can have; empty: as many as the rules allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSteps:
    """How long agents may be compiled, and what else can be built of them."""

    seconds: float = 5.0
    """Limit for compiling one."""
    trial_seconds: float = 0.0
    """Limit for a second build, which is given what the first one made and may make something else
    of the sources once it has tried that. 0: there is none."""
    debug: str = ""
    """``module:function`` that compiles for a search for errors, in the builder's image: with
    checks of every access to memory. Empty: there is no such build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Allowances for a language's runtime, beyond an assignment's limits."""

    memory_mib: int = 0
    start_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class KitLibrary:
    """Which of our files go with a starter kit."""

    path: Path
    """A folder."""
    put: str = ""
    """Where in the kit, with a slash at the end; empty: at its top."""
    only: tuple[str, ...] = ("",)
    """Names of the files, or how they end."""
    without: tuple[str, ...] = ()
    replaced: tuple[bytes, bytes] = (b"", b"")
    """Words that are replaced in the kit, and their replacement."""
    installed: bool = False
    """True if the ``firebox`` command is installed together with these files: a kit that it writes
    does without them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One way to write an agent."""

    name: str
    """As assignments and records have it: its folder's, with hyphens."""
    title: str
    """For people."""
    family: Family
    upload: UploadShape
    """The shape of a student's upload."""
    markers: Markers
    rules: KnownRules = KnownRules()
    modes: tuple[Mode, ...] = (Mode.SEAT,)
    """How its agents can be played; the first is how an agent plays with itself unless an
    evaluation says otherwise. ``team`` needs a process that plays the seats it was started for."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options that an assignment can switch on for it, by name, and what each does."""
    runtime: Runtime = _PYTHON
    adapter: Adapter
    build: BuildSteps = BuildSteps()
    allowance: Allowance = Allowance()
    kit: KitLibrary | None = None

    @property
    def folder(self) -> Path:
        """Where everything of it lies."""
        return _HERE / self.name.replace("-", "_")

    @property
    def needs_sandbox(self) -> bool:
        """True if its runtime is there only in its image."""
        return bool(self.runtime.start)

    @property
    def images(self) -> tuple[str, ...]:
        """All images that it needs."""
        return tuple(filter(None, (self.runtime.image, self.runtime.builder)))


def marker(pattern: str) -> Pattern[bytes]:
    """Compile a marker; ``^`` and ``$`` match at every line."""
    return re.compile(pattern.encode(), re.MULTILINE)
