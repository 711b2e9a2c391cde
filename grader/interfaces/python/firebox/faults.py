"""Tells a student on standard error why the agent's process is about to end.

Only the student's own lines are shown, with their text. The exception may be anything, made to
do harm included; what is printed is bounded, and printing never raises.
"""

import contextlib
import linecache
import os
import sys
import traceback
from io import StringIO
from types import FrameType
from typing import Final

from firebox.loading import LIBRARY, LoadError, left_out, shadowed
from firebox.sources import Modules

_NOTHING_TYPED: Final = "EOF when reading a line"
"""The error of ``input()``."""

FRAMES: Final = 60
"""Innermost frames that are shown of each exception."""

CHARACTERS: Final = 16_000
"""Longest explanation; of longer ones the first and the last part are kept."""


def explain(error: BaseException, doing: str, modules: Modules, agent_dir: str) -> None:
    """Print what ``error`` was and where in the student's files it came from."""
    try:
        text = f"The agent failed during {doing}.\n" + _explanation(error, modules, agent_dir)
    except (MemoryError, RecursionError):
        text = f"The agent failed during {doing}: {type(error).__name__}\n"
    _print(text)


def locate(frame: FrameType | None, doing: str, modules: Modules, agent_dir: str) -> None:
    """Print where in the student's files a running agent is: ``frame`` is the innermost."""
    where = _where(frame, modules, agent_dir)
    _print(f"The agent's time was over during {doing}. It was here (innermost call last):\n{where}")


def forbid(act: str, doing: str, modules: Modules, agent_dir: str) -> None:
    """Print where the agent does what the sandbox is about to end it for."""
    where = _where(sys._getframe(1), modules, agent_dir)
    _print(
        f"The agent failed during {doing}. It was here (innermost call last):\n{where}It {act}.\n"
    )


def _where(frame: FrameType | None, modules: Modules, agent_dir: str) -> str:
    files = {file for _, _, file in modules.values()}
    _remember_lines(files, agent_dir)
    stack = traceback.StackSummary.extract(traceback.walk_stack(frame))
    own = [entry for entry in reversed(stack) if entry.filename in files][-FRAMES:]
    return "".join(traceback.format_list(own)) if own else "  outside of its own files\n"


def _print(text: str) -> None:
    if len(text) > CHARACTERS:
        half = CHARACTERS // 2
        text = f"{text[:half]}\n[…]\n{text[-half:]}"
    data = text.encode("utf-8", "backslashreplace")
    with contextlib.suppress(OSError):
        while data:
            data = data[os.write(2, data) :]


def _explanation(error: BaseException, modules: Modules, agent_dir: str) -> str:
    files = {file for _, _, file in modules.values()}
    _remember_lines(files, agent_dir)
    explained = isinstance(error, LoadError)
    lines = [f"{error}\n"] if explained else _student_lines(error, files)
    text = _without_folders("".join(lines), agent_dir).rstrip("\n")
    return f"{_note(modules)}{text}{_hint(error)}\n"


def _note(modules: Modules) -> str:
    hidden = shadowed(modules)
    if not hidden:
        return ""
    return (
        f"Note: {', '.join(hidden)} cannot be imported: the name belongs to Python's standard "
        "library or to firebox. Rename the file.\n"
    )


def _hint(error: BaseException) -> str:
    if type(error) is EOFError and error.args == (_NOTHING_TYPED,):
        return " (nobody can type here: input() has nothing to read)"
    name = error.name if type(error) is ModuleNotFoundError else None
    return hint_on(name) if type(name) is str and "." not in name else ""


def hint_on(name: str) -> str:
    """Return what the sandbox has, after a message that it does not have the module ``name``."""
    if left_out(name):
        return " (the sandbox leaves out this part of Python's standard library)"
    if name in {"numpy", "onnxruntime"}:
        return f" (the assignment has to allow it; at home: --interface-option {name})"
    return " (the sandbox has only Python's standard library, firebox and the files you submit)"


def _without_folders(text: str, agent_dir: str) -> str:
    """Name files in messages of imports as the author knows them, not by where they lie here."""
    for folder in (LIBRARY, agent_dir.rstrip("/")):
        if len(folder) > 1 and folder.startswith("/"):
            text = text.replace(f"({folder}/", "(")
    return text


def _remember_lines(files: set[str], agent_dir: str) -> None:
    for file in files - linecache.cache.keys():
        with contextlib.suppress(OSError):
            with open(f"{agent_dir}/{file}", "rb") as source:  # noqa: PTH123 - pathlib is heap
                text = source.read().decode("utf-8", "replace")
            remember_lines(file, text)


def remember_lines(file: str, text: str) -> None:
    """Let ``linecache`` find these lines of a file; they end where compilers see an end."""
    lines = StringIO(text, newline=None).readlines()  # str.splitlines knows more ends
    linecache.cache[file] = len(text), None, lines, file


def _student_lines(error: BaseException, files: set[str]) -> list[str]:
    report = traceback.TracebackException.from_exception(error, limit=-FRAMES)
    part: traceback.TracebackException | None = report
    while part is not None:
        part.stack[:] = [frame for frame in part.stack if frame.filename in files]
        part = part.__cause__ or part.__context__
    chained = report.__cause__ is not None or report.__context__ is not None
    return list(report.format() if report.stack or chained else report.format_exception_only())
