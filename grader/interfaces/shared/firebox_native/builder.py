"""Shared code for build steps whose compiler is a program. They run in a builder.

Nothing of the student's is executed here. What is written is one line of JSON, ``{"ok", "messages",
"bytes"}``, and then that many bytes: what was made. What the compiler said goes to standard error,
which becomes the build's log.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias, TypedDict

__all__ = [
    "CANNOT_SAY_ALL",
    "INCLUDED",
    "MAX_MESSAGES",
    "Message",
    "RefusedError",
    "build_with",
    "message",
    "missing",
    "named_alike",
    "run_program",
    "shortened",
    "skipped",
]

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


class Message(TypedDict):
    """One complaint about a source file; line and column count from 1, 0 means the whole file."""

    file: str
    line: int
    column: int
    text: str


class RefusedError(Exception):
    """The sources cannot be used."""

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__()
        self.messages = list(messages)[:MAX_MESSAGES]


Make: TypeAlias = Callable[[Path, Path, list[Message]], bytes]
"""Makes an object of the sources in the first directory, with the second one, empty, to work in;
adds notes to the list. Raises RefusedError."""


def build_with(make: Make, agent_dir: str, out_fd: int) -> None:
    """Make the object; write the report and the object."""
    made = b""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends a compiler that says more than is read
    with tempfile.TemporaryDirectory() as directory:
        notes: list[Message] = []
        try:
            made = _bounded(make(Path(agent_dir), Path(directory), notes))
            ok, messages = True, notes
        except RefusedError as refused:
            ok, messages = False, [*refused.messages, *notes][:MAX_MESSAGES]
    report = {"ok": ok, "messages": messages, "bytes": len(made)}
    with os.fdopen(os.dup(out_fd), "wb") as out:
        out.write(json.dumps(report).encode() + b"\n" + made)


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
    Raises FileNotFoundError if there is no such program.
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
    return output.decode("utf-8", "replace"), process.wait()


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
    """Return the files of that name; if there are none, those named so but for capitals.

    Many systems do not tell capitals apart.
    """
    alike = [path for path in paths if path.name.lower() == name.lower() and path.is_file()]
    return [path for path in alike if path.name == name] or alike


def message(file: str, text: str, line: int = 0, column: int = 0) -> Message:
    """A message about a file, or, without a name, about all of them."""
    return {"file": file, "line": line, "column": column, "text": text}
