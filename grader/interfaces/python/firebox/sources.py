"""A submission's Python files: found, checked and compiled, and never executed here.

A submission is a directory with an ``agent.py`` at its top or in exactly one folder at its top.
Everything below the folder of ``agent.py`` can be imported, packages with or without an
``__init__.py``. File names in messages and tracebacks are relative to the submission's directory.
"""

from __future__ import annotations

import dis
import json
import marshal
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypedDict

if TYPE_CHECKING:
    from ast import Module
    from pathlib import Path

ENTRY: Final = "agent.py"
_LEFT_OUT: Final = "not used, for the agent imports nothing from this file"
_COPY: Final = "not used: setup.py left this copy"
CHOICE: Final = "firebox.json"

Modules: TypeAlias = dict[str, tuple[CodeType, bool, str]]
"""By dotted name: the code, whether it is a package, and the file's relative name."""


class Message(TypedDict):
    """One complaint about a source file; line and column count from 1, 0 means the whole file."""

    file: str
    line: int
    column: int
    text: str


def _path(name: str | os.PathLike[str]) -> Path:
    """Only for builds: the process of every game would be forked with the modules of pathlib."""
    from pathlib import Path

    return Path(name)


def resolve_root(agent_dir: str | os.PathLike[str], entry: str = ENTRY) -> Path:
    """The folder of the entry. Raises FileNotFoundError with advice for the student."""
    top = _path(agent_dir)
    if (top / entry).is_file():
        return top
    folders = [
        path for path in sorted(top.iterdir()) if not is_skipped(path.name) and path.is_dir()
    ]
    roots = [folder for folder in folders if (folder / entry).is_file()]
    if len(roots) == 1:
        return roots[0]
    if roots:
        names = ", ".join(f"{folder.name}/{entry}" for folder in roots)
        raise FileNotFoundError(f"there are several agents ({names}); submit one of them")
    raise FileNotFoundError(f"there is no {entry} at the top of the submission; name your file so")


def check_sources(agent_dir: str | os.PathLike[str]) -> list[Message]:
    """Compile every Python file and return why it cannot play: nothing if it can. Runs nothing."""
    _, complaints, _ = _compile_all(_path(agent_dir))
    return complaints


def compile_sources(agent_dir: str | os.PathLike[str]) -> bytes:
    """All modules of a submission as ``marshal`` bytes of ``Modules``, for this Python only.

    Raises SyntaxError or FileNotFoundError for what ``check_sources`` would complain about.
    """
    return marshal.dumps(compile_modules(agent_dir))


def compile_modules(agent_dir: str | os.PathLike[str]) -> Modules:
    """Like ``compile_sources``, before they become bytes."""
    top = _path(agent_dir)
    resolve_root(top)
    modules, complaints, _ = _compile_all(top)
    if complaints:
        first = complaints[0]
        where = (first["file"], first["line"], first["column"], None)
        raise SyntaxError(first["text"], where)
    return modules


def main_compile(agent_dir: str | os.PathLike[str], out_fd: int, entry: str = ENTRY) -> None:
    """Write one line of JSON, ``{"ok", "messages", "bytes"}``, and then that many bytes of code."""
    from firebox.requirements import missing_imports  # which imports this module

    top = _path(agent_dir)
    modules, complaints, notes = _compile_all(top, entry)
    complaints = complaints or missing_imports(top, modules, entry.removesuffix(".py"))
    code = b"" if complaints else marshal.dumps(modules)
    write_report(out_fd, [*complaints, *notes], code)


def write_report(out_fd: int, messages: list[Message], code: bytes) -> None:
    """Write the report of the build; without code it failed."""
    report = {"ok": bool(code), "messages": messages, "bytes": len(code)}
    with os.fdopen(os.dup(out_fd), "wb") as out:
        out.write(json.dumps(report).encode() + b"\n" + code)


def _compile_all(top: Path, entry: str = ENTRY) -> tuple[Modules, list[Message], list[Message]]:
    try:
        root = resolve_root(top, entry)
    except FileNotFoundError as error:
        return {}, [message(entry, str(error))], []
    modules, complaints = compile_folder(top, root, compile_file)
    complaints, notes = needed_files(complaints, modules, entry, root.relative_to(top))
    return modules, complaints, [*notes, *installed_copies(top)]


def needed_files(
    complaints: Sequence[Message], modules: Modules, entry: str, root: Path
) -> tuple[list[Message], list[Message]]:
    """Return the complaints if one is about a file that ``entry`` needs, else notes instead.

    ``root`` is the folder of ``entry``, relative to the submission's.
    """
    names = reached(modules, [entry.removesuffix(".py")])
    return sort_complaints(
        complaints, lambda file: module_name(_path(file).relative_to(root))[0] in names
    )


def sort_complaints(
    complaints: Sequence[Message], is_needed: Callable[[str], bool]
) -> tuple[list[Message], list[Message]]:
    """Return the complaints if one is about a file that is needed, else notes instead.

    Scratch files and old copies, which nothing imports, do not keep an agent from playing.
    """
    if any(is_needed(complaint["file"]) for complaint in complaints):
        return list(complaints), []
    return [], [
        {**complaint, "text": f"{_LEFT_OUT}: {complaint['text']}"} for complaint in complaints
    ]


def reached(modules: Modules, entries: Iterable[str]) -> set[str]:
    """Return the names of the modules that ``entries`` import, directly or through others.

    Those that are not among ``modules`` are named as well. Imports by ``importlib`` are not seen.
    """
    names: set[str] = set()
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        waiting.append(name.rpartition(".")[0] or name)
        if name in modules:
            code, is_package, _ = modules[name]
            waiting.extend(_imported(code, name if is_package else name.rpartition(".")[0]))
    return names


def _imported(code: CodeType, package: str) -> Iterator[str]:
    """Yield what the code of a module of this package may import, under full names."""
    before: list[Any] = [None, None]
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            level, names = before
            parts = package.split(".")
            start = ".".join(parts[: len(parts) - level + 1]) if level else ""
            module = ".".join(filter(None, (start, step.argval)))
            yield module
            yield from (f"{module}.{name}" if module else name for name in names or ())
        before = [before[1], step.argval]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant, package)


def compile_folder(
    top: Path, root: Path, compiler: Callable[[Path, str], CodeType | Message]
) -> tuple[Modules, list[Message]]:
    """All modules below ``root``, with what the compiler says of each path and relative name."""
    modules: Modules = {}
    messages: list[Message] = []
    for path in python_files(root):
        file = path.relative_to(top).as_posix()
        code = compiler(path, file)
        if isinstance(code, CodeType):
            name, is_package = module_name(path.relative_to(root))
            modules[name] = code, is_package, file
        else:
            messages.append(code)
    return _with_plain_folders(modules, root, top), messages


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, in order, without installed copies."""
    for path in sorted(folder.iterdir()):
        if is_skipped(path.name) or is_installed_copy(path):
            continue
        if path.is_dir():
            yield from python_files(path)
        elif path.suffix.lower() == ".py" and path.is_file():
            yield path


def is_skipped(name: str) -> bool:
    """Files that systems and editors leave in archives, and that nobody means to submit."""
    return name.startswith(".") or name in {"__pycache__", "__MACOSX"}


def installed_copies(top: Path) -> list[Message]:
    """Return a note on each folder that is not used because it is an installed copy."""
    folders = sorted(path for path in top.rglob("build/lib*") if is_installed_copy(path))
    return [message(path.relative_to(top).as_posix(), _COPY) for path in folders]


def is_installed_copy(path: Path) -> bool:
    """Return whether a path is the folder ``build/lib`` that ``setup.py install`` leaves."""
    is_named_so = path.parent.name == "build" and path.name.partition(".")[0] == "lib"
    return is_named_so and (path.parents[1] / "setup.py").is_file() and path.is_dir()


def module_name(path: Path) -> tuple[str, bool]:
    """The dotted name of a relative path, and whether it is a package's."""
    parts = (*path.parts[:-1], path.stem.replace(".", "_"))  # a dot would make it a package's
    if parts[-1] == "__init__" and len(parts) > 1:
        return ".".join(parts[:-1]), True
    return ".".join(parts), False


def _with_plain_folders(modules: Modules, root: Path, top: Path) -> Modules:
    """Add an empty package for each folder that lacks an ``__init__.py``, as Python allows."""
    empty = compile("", "<package>", "exec")
    for name in list(modules):
        parent = name.rpartition(".")[0]
        while parent and parent not in modules:
            folder = root.joinpath(*parent.split(".")).relative_to(top)
            modules[parent] = empty, True, (folder / "__init__.py").as_posix()
            parent = parent.rpartition(".")[0]
    return modules


_NOT_UTF_8: Final = "(unicode error) 'utf-8' codec can't decode"
_SAVE_AS_UTF_8: Final = "this is not UTF-8; have your editor save the file as UTF-8"
_NULLS: Final = "there are null bytes in it, as in UTF-16; have your editor save the file as UTF-8"


def compile_file(path: Path, file: str) -> CodeType | Message:
    """The file's code, or the complaint about it."""
    return compile_source(path.read_bytes(), file)


def compile_source(source: bytes | Module, file: str) -> CodeType | Message:
    """The code, or the complaint about it. The parser's own limits are complaints too."""
    if isinstance(source, bytes) and b"\0" in source:
        return message(file, _NULLS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code: CodeType = compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        text = error.msg or "invalid syntax"
        text = _SAVE_AS_UTF_8 if text.startswith(_NOT_UTF_8) else text
        return message(file, text, error.lineno, error.offset)
    except RecursionError:
        return message(file, "nested too deeply for Python to compile")
    except (MemoryError, OverflowError):
        return message(file, "too large or too complex for Python to compile")
    except ValueError as error:
        return message(file, str(error))
    return code


def message(file: str, text: str, line: Any = None, column: Any = None) -> Message:
    """A complaint; without a line about the whole file."""
    return {"file": file, "line": line or 0, "column": max(column or 0, 0), "text": text}


def chosen_class(top: Path) -> str:
    """The class that the upload's ``firebox.json`` says is to play; empty if it says nothing."""
    try:
        choice = json.loads((top / CHOICE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    name = choice.get("class") if isinstance(choice, dict) else None
    return name if isinstance(name, str) else ""
