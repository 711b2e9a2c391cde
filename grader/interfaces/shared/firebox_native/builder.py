"""Shared code for build steps whose compiler is a program. They run in a builder.

Nothing of the student's is executed here. What is written is one line of JSON, ``{"ok", "messages",
"bytes"}``, and then that many bytes: what was made. What the compiler said goes to standard error,
which becomes the build's log.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias, TypedDict

INCLUDED: Final = Path(__file__).parent
"""The folder of headers that adapters in C and C++ include."""
MAX_MESSAGES: Final = 50
CANNOT_SAY_ALL: Final = "\n[too much output]\n"
"""The last line of output that was cut because it was too long."""

_MAX_MADE_BYTES: Final = 16 << 20
_LOGGED_CHARACTERS: Final = 4000
"""Output of one program that is kept in the log."""
_EXIT_OURS: Final = 75
"""Exit status for our own failures (``sandbox.exits.STATUS_OURS``)."""
_KILLED: Final = re.compile(
    r"^\S+: fatal error: (?:Killed signal terminated program |\S*ld terminated with signal 9)"
    r"|\(Exit code: -9\)$",
    re.MULTILINE,
)
"""A compiler's words for a part of it that was killed: gcc's, and GHC's."""


class CompilerMessage(TypedDict):
    """One complaint about a source file; line and column count from 1, 0 means the whole file."""

    file: str
    line: int
    column: int
    text: str


class KilledError(Exception):
    """The compiler, or a part of it, was killed."""


class RefusedError(Exception):
    """The sources cannot be used."""

    def __init__(self, messages: Sequence[CompilerMessage]) -> None:
        super().__init__()
        self.messages = list(messages)[:MAX_MESSAGES]


Make: TypeAlias = Callable[[Path, Path, list[CompilerMessage]], bytes]
"""Makes an object of the sources in the first directory, with the second one, empty, to work in;
adds notes to the list. Raises RefusedError and KilledError."""


def build_with(make: Make, agent_dir: str, out_fd: int) -> None:
    """Make the object; write the report and the object.

    Ends as its compiler if that was killed: only the host knows whether its container was full.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends a compiler that says more than is read
    # A host that shuts down sends it to all; GHC would not ignore it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        ok, messages, made = _outcome(make, Path(agent_dir))
    except KilledError:
        signal.raise_signal(signal.SIGKILL)
    report = {"ok": ok, "messages": messages, "bytes": len(made)}
    with os.fdopen(os.dup(out_fd), "wb") as out:
        out.write(json.dumps(report).encode() + b"\n" + made)


def _outcome(make: Make, sources: Path) -> tuple[bool, list[CompilerMessage], bytes]:
    notes: list[CompilerMessage] = []
    with tempfile.TemporaryDirectory() as directory:
        try:
            return True, notes, _bounded(make(sources, Path(directory), notes))
        except RefusedError as refused:
            return False, [*refused.messages, *notes][:MAX_MESSAGES], b""


def _bounded(made: bytes) -> bytes:
    if len(made) > _MAX_MADE_BYTES:
        raise RefusedError([message("", "the compiled agent is larger than 16 MiB")])
    return made


def run_program(
    command: Sequence[str],
    folder: Path,
    *,
    most_bytes: int,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, int]:
    """Run a program in a folder; return its output and status. It is ended when it prints too much.

    ``environment`` is what the program needs beyond the usual.
    Raises FileNotFoundError if there is no such program, KilledError if it was killed.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={
            "PATH": os.environ.get("PATH", "/usr/bin"),
            "LC_ALL": "C",
            "TMPDIR": str(folder.parent),
            "SOURCE_DATE_EPOCH": "0",  # sources that ask for the time build alike at any time
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        restore_signals=False,  # a file that becomes too large is an error, and no signal
    )
    assert process.stdout is not None  # noqa: S101
    with process.stdout as stream:
        output = stream.read(most_bytes)
        if stream.read(1):
            output += CANNOT_SAY_ALL.encode()
    if process.wait() == -signal.SIGKILL:
        raise KilledError
    return output.decode("utf-8", "replace"), process.returncode


def require_own_end(output: str) -> None:
    """Raise KilledError if a compiler that names no error says that a part of it was killed.

    Sources can have the compiler print the same; they are then tried again, and gain nothing.
    """
    if _KILLED.search(output):
        raise KilledError


def missing(program: str, language: str) -> RefusedError:
    """Return the refusal where there is no compiler; in a builder, exit: its image lacks one."""
    if Path(__file__).is_relative_to("/adapter") and shutil.which(program) is None:
        sys.stderr.write(f"The image has no {program}.\n")
        sys.stderr.flush()
        os._exit(_EXIT_OURS)
    reason = f"there is no {language} compiler here: install {program}"
    return RefusedError([message("", reason)])


def shortened(output: str) -> str:
    """Beginning and end of it. All that is written must fit into a pipe that nobody reads yet."""
    half = _LOGGED_CHARACTERS // 2
    return output if len(output) <= 2 * half else f"{output[:half]}\n[…]\n{output[-half:]}"


def skipped(name: str) -> bool:
    """Return whether a part of a file's path is clutter."""
    return name.startswith(".") or name == "__MACOSX"


def named_alike(paths: Iterable[Path], name: str) -> list[Path]:
    """Return the files of that name, or else the files whose names differ in capitals only."""
    alike = [path for path in paths if path.name.lower() == name.lower() and path.is_file()]
    return [path for path in alike if path.name == name] or alike


def message(file: str, text: str, line: int = 0, column: int = 0) -> CompilerMessage:
    """A message about a file, or, without a name, about all of them."""
    return {"file": file, "line": line, "column": column, "text": text}
