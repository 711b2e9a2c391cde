"""The program in a seat, as values: an agent, its adapter, and the runtime of both.

Standard library only, and nothing here does anything: interfaces are declared with these values,
and reading a declaration starts no sandbox.
"""

import signal
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

__all__ = ["Adapter", "Program", "Purpose", "Runtime"]


class Purpose(Enum):
    """The purpose of a seat. It decides the image, the system calls and what can be read."""

    PLAY = "play"
    """Games, and build steps that start no program."""
    BUILD = "build"
    """A build step that starts a compiler's programs and writes temporary files. No agent runs."""
    DEBUG = "debug"
    """Games of an artefact that was compiled with checks of every access to memory, in search of
    errors: in the compiler's image, where the libraries for that are, with its programs' files to
    read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """A language's runtime, as a sandbox has to know it."""

    image: str = "python"
    """The image that agents run in."""
    builder: str = ""
    """The image that agents are compiled in, where that takes programs: a compiler's. What comes of
    it is machine code, which is loaded where it lies and must be there before a seat is opened.
    Empty: agents are compiled where they play."""
    start: str = ""
    """``module:function`` that starts it. It is called in each process with the memory limit in MiB
    and the path of the artefact (empty before a build), when limits and Landlock hold already and
    the filter does not: it may start threads. While it plays, such a process can look for no files
    any more: what it needs of them, it takes now. It returns whether the process may play more than
    one game, for an adapter that is ``reusable``. Empty: Python's own, which runs already."""
    visible_paths: tuple[str, ...] = ()
    """Directories of the image that it shows processes, for this."""
    threads: int = 0
    """How many threads it has, at most, beside the agent's."""
    gc_thread: str = ""
    """The name of the one among them that works while the agent's waits for it, if any: the clock
    charges for both."""
    limits_address_space: bool = True
    """True if the memory limit holds for the address space. A runtime that reserves more than it
    uses keeps to the limit by itself, or has the container's for it."""
    dump_signal: int = signal.SIGUSR1
    """The signal that has it say on standard error where the agent is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """Our code in a seat: it lies beside an agent's, and is called there."""

    paths: tuple[Path, ...]
    """The host's directories of the packages that hold the entries below."""
    play: str
    """``module:function`` called in each game's process with the paths of the agent's directory and
    the artefact, and the descriptors of its input and output."""
    build: str
    """The same for the build step, which writes to its output."""
    preload: tuple[str, ...]
    """Modules imported once, before any agent's process is forked."""
    readable: bool = False
    """True if processes may read its files, to compile them together with the agent's."""
    reusable: bool = False
    """True if one process may play several games, one after the other: it answers the end of each
    with a line, and the next begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The code of one seat."""

    runtime: Runtime = Runtime()
    adapter: Adapter
    purpose: Purpose = Purpose.PLAY
    sources: Path
    """The host's directory of the agent's files."""
    artefact: bytes = b""
    """Output of an earlier build step; opaque here, read only by confined processes."""

    @property
    def image(self) -> str:
        """The image that it takes: only games that count are played without a compiler's."""
        plays = self.purpose is Purpose.PLAY
        return self.runtime.image if plays else self.runtime.builder

    @property
    def native(self) -> bool:
        """True if the artefact is machine code."""
        return bool(self.runtime.builder)
