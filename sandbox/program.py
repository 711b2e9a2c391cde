"""The program in a sandbox, as values: an agent, its adapter, and the runtime of both.

Standard library only, and nothing here does anything: interfaces are declared with these values,
and reading a declaration starts no sandbox.
"""

import signal
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Purpose(Enum):
    """The purpose of a sandbox. It decides the image, the system calls and what can be read."""

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
    """A sandbox's settings for a language's runtime."""

    image: str = "python"
    """The image that agents run in."""
    builder: str = ""
    """The image of a compiler that consists of programs. Its output is machine code, which is
    loaded from its file and must exist before a sandbox is opened. Empty: agents are compiled where
    they play."""
    start: str = ""
    """``module:function`` that starts it. It is called in each process with the memory limit in MiB
    and the path of the artefact (empty before a build), after limits and Landlock are in force and
    before the filter is: it may start threads. During a game only the agent's files can be found,
    so it opens now what else it needs. It returns whether the process may play more than one game,
    for an adapter that is ``reusable``. Empty: Python, which already runs."""
    visible_paths: tuple[str, ...] = ()
    """Directories of the image that it shows processes while ``start`` runs. Only for a runtime
    whose address space is not limited: to hide them again takes a thread, for which the C library
    maps 64 MiB or more, and then a limit may leave ``start`` no room for its own threads."""
    threads: int = 0
    """Maximum number of threads beside the agent's."""
    gc_thread: str = ""
    """The name of the thread that works while the agent's waits for it, if any: the clock charges
    both."""
    limits_address_space: bool = True
    """True if the memory limit holds for the address space. A runtime that reserves more than it
    uses enforces the limit itself, or relies on the container's."""
    dump_signal: int = signal.SIGUSR1
    """The signal on which it prints the agent's stack to standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """Our code that loads and calls an agent, in the agent's process."""

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
    root: Path | None = None
    """The folder that the packages lie in, if they are parts of a larger one: ``grader.core`` is
    found by that name. ``None``: each package is found by its own."""
    reusable: bool = False
    """True if one process may play several games, one after the other: it answers the end of each
    with a line, and the next begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The code in one sandbox."""

    runtime: Runtime = Runtime()
    adapter: Adapter
    purpose: Purpose = Purpose.PLAY
    sources: Path | None
    """The host's directory of the agent's files; ``None`` if they come later."""
    artefact: bytes = b""
    """Output of an earlier build step; opaque here, read only by confined processes."""

    @property
    def image(self) -> str:
        """The image that it needs: the builder's, except in games that count."""
        plays = self.purpose is Purpose.PLAY
        return self.runtime.image if plays else self.runtime.builder

    @property
    def native(self) -> bool:
        """True if the artefact is machine code."""
        return bool(self.runtime.builder)
