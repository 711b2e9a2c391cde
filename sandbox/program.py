"""What a seat runs: an adapter, an agent's sources, an artefact; and the directory they are put in.

Every seat gets a directory of its own with its own copies of everything that is mounted into its
container: on an inode shared by two seats, locks, leases and access times would be a channel.
"""

import json
import marshal
import os
import shutil
import signal
from base64 import b64encode
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import Final

from sandbox.limits import Limits
from sandbox.scratch import make_scratch, remove_scratch
from sandbox.seccomp import agent_filter, workshop_filter

_INSIDE: Final = Path(__file__).parent / "inside"
_INTERPRETER_LIBRARIES: Final = ("/usr/lib", "/lib", "/usr/share/zoneinfo")
_PROGRAMS: Final = "/usr"
"""What a workshop may execute."""
_UNCHECKED: Final = (1).to_bytes(4, "little")
"""The flags of bytecode that stands for its source by hash, whatever the hash."""
_SCRATCH: Final = "/tmp"  # noqa: S108 - the container's own
"""Where it may write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The code of one seat. Paths are the host's."""

    runtime: str = "python"
    """The image that it runs in."""
    adapters: tuple[Path, ...]
    """Directories of the trusted Python packages that serve an agent and hold the entries below."""
    play: str
    """``module:function`` called in each game's process with the paths of the agent's directory and
    the artefact, and the descriptors of its input and output."""
    build: str
    """The same for the build step, which writes to its output."""
    preload: tuple[str, ...]
    """Modules imported once, before any agent's process is forked."""
    prepare: str = ""
    """``module:function`` that starts a language's runtime. It is called in each process with the
    memory limit in MiB and the path of the artefact (empty before a build), when limits and
    Landlock hold already and the filter does not: it may start threads. While it plays, such a
    process can look for no files any more: what it needs of them, it takes now. It returns whether
    the process may play more than one game, for a program that ``keeps``."""
    places: tuple[str, ...] = ()
    """Directories of the image that it shows processes, for this."""
    threads: int = 0
    """How many threads that runtime has."""
    stand_in: str = ""
    """The name of the one among them that works while the agent's waits for it, if any: the clock
    charges for both."""
    address_space: bool = True
    """Whether the memory limit holds for the address space. A runtime that reserves more than it
    uses keeps to the limit by itself, or has the container's for it."""
    reads_adapters: bool = False
    """Whether processes may read the adapters' files, to compile them together with the agent's."""
    last_words: int = signal.SIGUSR1
    """The signal that has it say on standard error where the agent is."""
    keeps: bool = False
    """Whether one process may play several games, one after the other: it answers the end of each
    with a line, and the next begins."""
    executes: bool = False
    """Whether the artefact is machine code, which is loaded where it lies. It must be there before
    the seat is opened."""
    workshop: bool = False
    """Whether its build step starts programs, a compiler's, and writes temporary files. A seat with
    such a program builds, and never plays."""
    checked: bool = False
    """Whether the artefact was made with a compiler's checks of every access to memory: it plays in
    the compiler's image, where the libraries for that are, and its process may read all programs'
    files. Only for a search for errors."""
    sources: Path
    """Directory of the agent's files."""
    artefact: bytes = b""
    """What an earlier build step wrote; opaque here, read only by confined processes."""


class SeatDirectory:
    """The host's copy of what one seat may read, and the place of its control socket."""

    def __init__(self, program: Program) -> None:
        self.path = make_scratch("seat")
        self.control = self.path / "control"
        self.supervisor = self.path / "supervisor"
        self.adapter = self.path / "adapter"
        self.agent = self.path / "agent"
        self.build = self.path / "build"
        with ExitStack() as undo:
            undo.callback(self.remove)
            self._fill(program)
            undo.pop_all()

    def _fill(self, program: Program) -> None:
        self.path.chmod(0o711)
        self.control.mkdir()
        self.control.chmod(0o711)  # whatever the umask: its user is another one
        _copy_code(_INSIDE, self.supervisor / "sandbox" / "inside")
        for package in program.adapters:
            _copy_code(package, self.adapter / package.name)
        shutil.copytree(program.sources, self.agent)
        self.build.mkdir()
        self.put_artefact(program.artefact)
        _publish(self.supervisor, self.adapter, self.agent, self.build)

    @property
    def socket(self) -> Path:
        """Where the supervisor finds us."""
        return self.control / "socket"

    def put_artefact(self, artefact: bytes) -> None:
        """Make the outcome of a build step readable for the games that follow."""
        target = self.build / "artefact"
        target.unlink(missing_ok=True)  # nobody but an almighty root could write to it
        target.write_bytes(artefact)
        target.chmod(0o444)

    def remove(self) -> None:
        """Delete everything. Safe to call twice."""
        remove_scratch(self.path)


def configuration(program: Program, limits: Limits, paths: dict[str, str], *, confine: bool) -> str:
    """The supervisor's argument.

    ``paths`` are control, adapter, agent and build, as the supervisor sees them.
    """
    adapters = [paths["adapter"]] if program.reads_adapters else []
    programs, scratch = ([_PROGRAMS], [_SCRATCH]) if program.workshop else ([], [])
    checkers = [_PROGRAMS] if program.checked else []
    return json.dumps(
        {
            "control": paths["control"],
            "adapters": [paths["adapter"]],
            "play": program.play,
            "build": program.build,
            "preload": program.preload,
            "prepare": program.prepare,
            "places": [*program.places, *adapters, *programs, *scratch, *checkers],
            "last_words": program.last_words,
            "agent": paths["agent"],
            "artefact": f"{paths['build']}/artefact",
            "executes": program.executes,
            "programs": programs,
            "scratch": scratch,
            "readable": [
                *_INTERPRETER_LIBRARIES,
                *adapters,
                *checkers,
                paths["agent"],
                paths["build"],
            ],
            "memory_mib": limits.memory_mib,
            "address_space": program.address_space,
            "filters": _filters(program) if confine else {},
            "confine": confine,
        }
    )


def _filters(program: Program) -> dict[str, str]:
    if program.workshop:
        filters = {"build": workshop_filter()}
    else:
        filters = {"play": agent_filter(files=not program.prepare), "build": agent_filter()}
    return {purpose: b64encode(bpf).decode() for purpose, bpf in filters.items()}


def _copy_code(source: Path, target: Path) -> None:
    """Copy a package and add the bytecode of its modules, which each seat would compile again.

    A Python of another version ignores the bytecode and compiles the source.
    """
    shutil.copytree(source, target, ignore=_no_caches)
    for path in target.rglob("*.py"):
        compiled = Path(cache_from_source(path))
        compiled.parent.mkdir(exist_ok=True)
        compiled.write_bytes(_bytecode(path.read_bytes(), path.name))


@cache
def _bytecode(source: bytes, name: str) -> bytes:
    """Return the content of a module's ``.pyc`` file that is not compared with its source.

    The layout is PEP 552's. The importer puts the true path in the place of ``name``.
    """
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    return MAGIC_NUMBER + _UNCHECKED + source_hash(source) + marshal.dumps(code)


def _no_caches(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name == "__pycache__"}


def _publish(*trees: Path) -> None:
    """Readable for every user, writable for none: containers run under users of their own."""
    for tree in trees:
        for directory, _, names in os.walk(tree):
            Path(directory).chmod(0o755)
            for name in names:
                (Path(directory) / name).chmod(0o444)
