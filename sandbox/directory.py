"""The directory of a sandbox, and the configuration of its supervisor.

Every sandbox has a directory with its own copies of everything that is mounted into its container:
on an inode shared by two sandboxes, locks, leases and access times would be a channel.
"""

import json
import marshal
import os
import re
import shutil
from base64 import b64encode
from contextlib import ExitStack
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path, PurePosixPath
from typing import Final

from sandbox.errors import HostError
from sandbox.inside.supervisor import START_FOLDER
from sandbox.limits import Limits
from sandbox.program import Program, Purpose
from sandbox.scratch import make_scratch, remove_scratch
from sandbox.seccomp import agent_filter, builder_filter

_INSIDE: Final = Path(__file__).parent / "inside"
_INTERPRETER_LIBRARIES: Final = ("/usr/lib", "/lib", "/usr/share/zoneinfo")
_PROGRAMS: Final = "/usr"
"""Directories of the programs that a builder may execute."""
_UNCHECKED: Final = (1).to_bytes(4, "little")
"""The flags of bytecode that stands for its source by hash, whatever the hash."""
_SCRATCH: Final = "/tmp"  # noqa: S108 - the container's own
"""The directory in which a builder may write."""
_SOURCES: Final = frozenset(
    {".py", ".java", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".hs", ".hs-boot"}
)
_NO_DATA: Final = "firebox.json"
"""Our own file at the top: it names the class that plays."""
_PACKAGE: Final = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
"""A declaration in Java; programs are run from the folder that has the packages' folders."""


class SandboxDirectory:
    """The host's copy of the files that one sandbox may read, and its control socket."""

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
        self.control.chmod(0o711)  # regardless of the umask: the container runs under another user
        _copy_code(_INSIDE, self.supervisor / "sandbox" / "inside")
        for package in program.adapter.paths:
            name = package.relative_to(root) if (root := program.adapter.root) else package.name
            _copy_code(package, self.adapter / name)
        self.agent.mkdir()
        self.build.mkdir()
        self._put(START_FOLDER, b"")
        if program.sources is not None:
            self._copy_sources(program.sources)
        self.put_artefact(program.artefact)
        _publish(self.supervisor, self.adapter, self.agent, self.build)
        self.note_files()

    def note_files(self) -> None:
        """Note how many files there are, for ``is_whole``."""
        self._files = self._count_files()

    @property
    def is_whole(self) -> bool:
        """True if no files were removed."""
        return self._count_files() >= self._files

    def require_whole(self) -> None:
        """Raise HostError if files were removed: without them the best agent fails."""
        if not self.is_whole:
            raise HostError(f"files of the sandbox {self.path} were removed")

    def _count_files(self) -> int:
        shown = (self.supervisor, self.adapter, self.agent, self.build)
        return sum(len(names) for folder in shown for _, _, names in os.walk(folder))

    @property
    def socket(self) -> Path:
        """The control socket that the supervisor connects to."""
        return self.control / "socket"

    def put_sources(self, sources: Path) -> None:
        """Put an agent's files into a sandbox that was opened without one."""
        self._copy_sources(sources)
        _publish(self.agent, self.build)
        self.note_files()

    def _copy_sources(self, sources: Path) -> None:
        shutil.copytree(sources, self.agent, dirs_exist_ok=True)
        self._put(START_FOLDER, os.fsencode(start_folder(sources)))

    def put_artefact(self, artefact: bytes) -> None:
        """Make the outcome of a build step readable for the games that follow."""
        self._put("artefact", artefact)

    def _put(self, name: str, data: bytes) -> None:
        target = self.build / name
        target.unlink(missing_ok=True)  # only root with all capabilities could write to it
        target.write_bytes(data)
        target.chmod(0o444)

    def remove(self) -> None:
        """Delete everything. Safe to call twice."""
        remove_scratch(self.path)


def configuration(
    program: Program,
    limits: Limits,
    paths: dict[str, str],
    *,
    confine: bool,
    has_bans: bool = False,
) -> str:
    """The supervisor's argument. It sees control, adapter, agent and build at these ``paths``.

    ``has_bans``: an audit hook stands in for the confinement of agents in Python.
    """
    runtime, adapter, purpose = program.runtime, program.adapter, program.purpose
    builds, debugs = purpose is Purpose.BUILD, purpose is Purpose.DEBUG
    adapters = [paths["adapter"]] if adapter.readable or builds else []
    programs, scratch = ([_PROGRAMS], [_SCRATCH]) if builds else ([], [])
    checkers, own = [_PROGRAMS] if debugs else [], [paths["agent"], paths["build"]]
    return json.dumps(
        {
            "control": paths["control"],
            "adapters": [paths["adapter"]],
            "play": adapter.play,
            "build": adapter.build,
            "preload": adapter.preload,
            "prepare": runtime.start,
            "places": [*runtime.visible_paths, *adapters, *programs, *scratch, *checkers],
            "dump_signal": runtime.dump_signal,
            "agent": paths["agent"],
            "artefact": f"{paths['build']}/artefact",
            "native": program.native,
            "programs": programs,
            "scratch": scratch,
            "readable": [*_INTERPRETER_LIBRARIES, *adapters, *checkers, *own],
            "memory_mib": limits.memory_mib,
            "address_space": runtime.limits_address_space and not debugs,
            "filters": _filters(program) if confine else {},
            "confine": confine,
            "bans": has_bans and not runtime.start,
        }
    )


def _filters(program: Program) -> dict[str, str]:
    if program.purpose is Purpose.BUILD:
        filters = {"build": builder_filter()}
    else:
        filters = {"play": agent_filter(), "build": agent_filter()}
    return {purpose: b64encode(bpf).decode() for purpose, bpf in filters.items()}


def _copy_code(source: Path, target: Path) -> None:
    """Copy a package and the bytecode of its modules, so that no sandbox compiles them again.

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
    """Make the files readable for all, writable for none: each container has its own user."""
    for tree in trees:
        for directory, _, names in os.walk(tree):
            Path(directory).chmod(0o755)
            for name in names:
                (Path(directory) / name).chmod(0o444)


def start_folder(sources: Path) -> str:
    """Return the innermost folder that has all sources, and data in it or below.

    It is empty for the top.

    If there are no data with the sources, programs were run from a folder further out that has
    some; if there are none at all, the folder of the sources is as good as any.
    """
    folders, data = [], []
    for path in sources.rglob("*"):
        name = PurePosixPath(path.relative_to(sources))
        if path.is_file() and str(name) != _NO_DATA:
            if name.suffix.lower() in _SOURCES:
                folders.append(_without_package(name.parent, path))
            else:
                data.append(name)
    if not folders:
        return ""
    innermost = PurePosixPath(os.path.commonpath(folders))
    for folder in (innermost, *innermost.parents):
        if any(path.is_relative_to(folder) for path in data):
            return "" if folder == PurePosixPath() else str(folder)
    return "" if innermost == PurePosixPath() else str(innermost)


def _without_package(folder: PurePosixPath, source: Path) -> PurePosixPath:
    declared = source.suffix == ".java" and _PACKAGE.search(source.read_bytes())
    parts = os.fsdecode(declared[1]).split(".") if declared else []
    outside = PurePosixPath(*folder.parts[: len(folder.parts) - len(parts)])
    return outside if outside.joinpath(*parts) == folder else folder
