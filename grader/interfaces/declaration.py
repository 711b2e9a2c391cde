"""Declarations of interfaces: the values that the ``interface.py`` of a folder is written with."""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from re import Pattern
from typing import Final, TypeAlias

from grader.core.games import Game
from grader.core.records import Mode
from grader.uploads.shape import UploadShape
from sandbox.program import Adapter, Runtime

_HERE: Final = Path(__file__).parent
_PYTHON: Final = Runtime()


class Family(Enum):
    """The origin of an interface's agents. Lists show the families in this order."""

    LIBRARY = "library"
    """Classes of Firebox's own. The first interface, which is the default, is of this family."""
    COURSE = "course"
    """A course's own types: its agents were written for certain rules, and play unchanged."""
    PROGRAM = "program"
    """Whole programs that speak the wire protocol by themselves."""
    LINES = "lines"
    """Whole programs that speak the lines which their game declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Patterns that distinguish the sources of an interface's agents from all others."""

    required: tuple[Pattern[bytes], ...] = ()
    """Patterns that must all match, each in some file; empty: it has only a weak sign."""
    weak: Pattern[bytes] | None = None
    """A sign of its agents where no interface's required markers are found: for example a
    misspelt method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRules:
    """The rules for which an interface's agents were written. Empty: they can play by any rules."""

    game: str = ""
    """The game that its agents play; empty: all games."""
    variant: str = ""
    """The variant; empty: any."""
    fixed_options: tuple[str, ...] = ()
    """Options of the variant that the agents have built in, so that an assignment cannot change
    them."""
    players: tuple[int, ...] = ()
    """Possible numbers of seats; empty: all that the rules allow."""
    lines: bool = False
    """True if its agents speak the lines that a game declares: they play no other games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSteps:
    """Limits of compiling agents, and their other builds."""

    seconds: float = 5.0
    """Limit for compiling one."""
    trial_seconds: float = 0.0
    """Limit for a second build, which receives the first one's result, tries it, and may translate
    the sources instead. 0: there is none."""
    debug: str = ""
    """``module:function`` that compiles for a search for errors, in the builder's image: with
    checks of every access to memory. Empty: there is no such build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Allowances for a language's runtime, beyond an assignment's limits."""

    memory_mib: int = 0
    start_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Libraries:
    """Packages beyond the language's own, which an option of the assignment allows or forbids."""

    option: str
    by_default: bool = False
    """True: agents have them unless the option is on. False: only while it is on."""
    image: str
    """The image that has them."""
    modules: tuple[str, ...]
    """The modules that are imported once, before any game's process is forked."""
    used: Pattern[bytes]
    """Matches a source that may import them. Other agents play in the interface's own image, which
    takes less time and memory."""
    allowance: Allowance

    def are_for(self, options: Sequence[str], sources: Path) -> bool:
        """Return whether the agent in the folder ``sources`` may use them, and may want to."""
        if (self.option in options) is self.by_default:
            return False
        paths = list(sources.rglob("*"))
        if any(path.stem in self.modules for path in paths):  # it brings its own
            return False
        files = (path for path in paths if path.suffix.lower() == ".py" and path.is_file())
        return any(self.used.search(path.read_bytes()) for path in files)


Copies: TypeAlias = Callable[[Mapping[str, bytes]], Set[str]]
"""From an upload's files to the names of those that builds leave out, since ours are used."""


def _no_copies(_: Mapping[str, bytes]) -> Set[str]:
    return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class KitLibrary:
    """Our files that a starter kit contains."""

    path: Path
    """A folder."""
    put: str = ""
    """The folder in the kit, with a slash at the end; empty: the top."""
    only: tuple[str, ...] = ("",)
    """Names of the files, or their endings."""
    without: tuple[str, ...] = ()
    replaced: tuple[bytes, bytes] = (b"", b"")
    """Words that are replaced in the kit, and their replacement."""
    installed: bool = False
    """True if the ``firebox`` command is installed together with these files: kits that it writes
    leave them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One way to write an agent."""

    name: str
    """The name in assignments and records: its folder's, with hyphens."""
    title: str
    family: Family
    upload: UploadShape
    markers: Markers
    rules: KnownRules = KnownRules()
    modes: tuple[Mode, ...] = (Mode.SEAT,)
    """Supported modes; the first is the default of an agent that plays with itself. ``team`` needs
    an adapter that plays all seats for which its process was started."""
    hears_own_seats: bool = False
    """True if its adapter is told which seats the agent plays at a table with others."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options that an assignment can switch on, by name, with their effects."""
    libraries: tuple[Libraries, ...] = ()
    runtime: Runtime = _PYTHON
    adapter: Adapter
    build: BuildSteps = BuildSteps()
    allowance: Allowance = Allowance()
    kit: KitLibrary | None = None
    copies: Copies = _no_copies
    """Finds the course's own files in an upload of a whole project."""

    greets: bool = False
    """True if its adapter answers an empty line with ``ready`` before a program with lines begins,
    since its runtime reads ahead."""
    shared_folder: str = ""
    """The name of the folder, if several interfaces share it."""

    @property
    def folder(self) -> Path:
        """The folder with all its files."""
        return _HERE / (self.shared_folder or self.name.replace("-", "_"))

    def plays(self, game: type[Game]) -> bool:
        """Return whether it has agents for this game, by any rules."""
        has_lines = game.lines is not None or not self.rules.lines
        return self.rules.game in {"", game.name} and has_lines

    @property
    def needs_sandbox(self) -> bool:
        """True if its runtime exists only in its image."""
        return bool(self.runtime.start)

    @property
    def images(self) -> tuple[str, ...]:
        """The images that it needs."""
        return tuple(filter(None, (self.runtime.image, self.runtime.builder)))

    def images_with(self, options: Sequence[str]) -> frozenset[str]:
        """Return the images that agents may need while these options are on."""
        libraries = (one.image for one in self.libraries
                     if (one.option in options) is not one.by_default)  # fmt: skip
        return frozenset((*self.images, *libraries))

    def fitted(self, options: Sequence[str], sources: Path, *, sandboxed: bool) -> "Interface":
        """Return the interface with the libraries of the agent whose unpacked sources these are.

        Without a sandbox, agents find the packages of this computer's Python.
        """
        for libraries in self.libraries if sandboxed else ():
            if libraries.are_for(options, sources):
                return replace(
                    self,
                    runtime=replace(self.runtime, image=libraries.image),
                    adapter=replace(
                        self.adapter, preload=(*libraries.modules, *self.adapter.preload)
                    ),
                    allowance=libraries.allowance,
                )
        return self


def adapter(entry: str, *paths: Path, readable: bool = False, reusable: bool = False) -> Adapter:
    """Declare the adapter whose module ``entry`` has the functions ``play`` and ``build``.

    ``paths`` are the folders of its packages and of all that they import.
    """
    return Adapter(
        paths=paths,
        play=f"{entry}:play",
        build=f"{entry}:build",
        preload=(entry,),
        readable=readable,
        reusable=reusable,
    )


def marker(pattern: str) -> Pattern[bytes]:
    """Compile a marker; ``^`` and ``$`` match at every line."""
    return re.compile(pattern.encode(), re.MULTILINE)
