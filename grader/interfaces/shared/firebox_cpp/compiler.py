"""The build step: from a student's sources to one shared object. It runs in a builder.

What is made is the object, followed by which of its code is which line (``lines``).
"""

import re
import sys
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firebox_native.builder import (
    CANNOT_SAY_ALL,
    INCLUDED,
    MAX_MESSAGES,
    Message,
    RefusedError,
    build_with,
    message,
    missing,
    named_alike,
    run_program,
    shortened,
    skipped,
)
from firebox_native.lines import appendix, foreign

from .includes import UNUSED, forward_includes, hints_at_definitions, unused_files

__all__ = ["HEADERS", "PROGRAM", "Dialect", "Engine", "build"]

_HERE: Final = Path(__file__).parent
_MESSAGES: Final = (
    "-fdiagnostics-color=never", "-fno-diagnostics-show-caret", "-fmax-errors=50",
    "-ftemplate-backtrace-limit=6",
)  # fmt: skip
_CHECKED: Final = (
    "-O0", "-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
    "-fno-sanitize=return,vptr", "-D_GLIBCXX_DEBUG", "-D_GLIBCXX_ASSERTIONS",
)  # fmt: skip
"""Every access to memory is checked, every index of a container, and what the language leaves
undefined. Not ``return``: there the game would end, which it does not where agents are graded; a
warning tells of it. Not ``vptr``, which needs system calls that agents do not have."""
_SANITIZERS: Final = "-fsanitize=address,undefined"
_MADE: Final = ("-fPIC", "-fvisibility=hidden")
_LINKED: Final = (
    "-shared", "-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections",
    "-Wl,-z,defs", "-Wl,--wrap=__cxa_throw", "-Wl,--build-id=none",
)  # fmt: skip
_MAX_SAID_BYTES: Final = 256 << 10
"""Output of the compiler before it is stopped."""
_MAX_LINES_BYTES: Final = 16 << 20
_MAX_NAMES: Final = 5

_COMPLAINT: Final = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$",
    re.MULTILINE,
)
_UNDEFINED: Final = re.compile(
    r"^(?:\S*ld: )?(?:\S*\.o:)?(?P<file>[^\n:]+):(?P<line>\d+): "
    r"(?P<text>(?:undefined reference to|multiple definition of) [^;\n]*)",
    re.MULTILINE,
)
_SECOND_MAIN: Final = "multiple definition of `main'"
_FIRST_OF_OTHERS: Final = 2
"""Number of the first compiled file that is neither the adapter nor the entry."""
_NO_CLOCK: Final = ("-Wno-builtin-macro-redefined", '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"')
"""The date of a file for its macros, as ``SOURCE_DATE_EPOCH`` is for the compiler's own."""
_NO_MAIN: Final = "undefined reference to `main'"
_NO_MEMORY: Final = re.compile(
    r"out of memory|[Mm]emory exhausted|Killed signal|annot allocate memory"
)
_NO_SPACE: Final = re.compile(r"No space left|File too large|File size limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The way in which sources are compiled."""

    standard: tuple[str, ...]
    """The language that agents are written in."""
    code: tuple[str, ...]
    """Options for the code: optimisation and debugging information."""
    inlined: bool = False
    """True if functions may be inlined into others."""
    suffixes: tuple[str, ...] = ()
    """Endings of the files that are compiled, each by itself. None: the adapter includes the entry,
    and the headers are all there is."""


HEADERS: Final = Dialect(
    standard=(
        "-std=c++11", "-fpermissive", "-include", "algorithm", "-include", "cstdlib", "-include",
        "iostream",
    ),
    code=("-O0", "-g1", "-gdwarf-4"),
)  # fmt: skip
"""The old and lenient compiler that courses' agents were written for, with much included already.

No optimisation: a function without its return statement goes on, as it did for its author, and the
lines of a fault are exact. Computing is a small part of a game's time."""

PROGRAM: Final = Dialect(
    standard=("-std=c++17",),
    code=("-O2", "-g", "-gdwarf-4", "-fno-var-tracking"),
    inlined=True,
    suffixes=(".cpp", ".cc", ".cxx"),
)
"""Whole programs, as one compiles them today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The adapter and options that a student's sources are compiled with."""

    folder: Path
    """The folder of ``adapter.cpp`` and the headers that agents include."""
    entry: str
    """The file that a submission must have."""
    dialect: Dialect = HEADERS

    def headers(self) -> frozenset[str]:
        """Names that mean the engine's files, in a submission too."""
        return frozenset(path.name for path in self.folder.glob("*.h"))


def build(engine: Engine, agent_dir: str, out_fd: int, *, checked: bool = False) -> None:
    """Compile a submission; write the report and the object.

    One that is ``checked`` says of the first error in the use of memory where it was made. It is
    loaded only into a process that has the sanitizers' libraries.
    """

    def make(sources: Path, directory: Path, notes: list[Message]) -> bytes:
        root = _root_of(engine, sources)
        staged, forwarders = _stage(engine, root, directory / "agent")
        notes += staged
        return _made(engine, directory, notes, {*forwarders, *engine.headers()}, checked=checked)

    build_with(make, agent_dir, out_fd)


def _root_of(engine: Engine, top: Path) -> Path:
    """The folder of the entry, which is found wherever it lies; of several the one further up."""
    entry = engine.entry
    plain = [path for path in top.rglob("*") if not _is_hidden(path, top)]
    entries = sorted(named_alike(plain, entry), key=lambda path: (len(path.parts), path))
    if not entries:
        alike = _alike(engine, top)
        there = f", only {', '.join(alike)}" if alike else ""
        text = f"there is no {entry} in the submission{there}"
        text += "; name your file so"
        raise RefusedError([message(entry, text)])
    nearest = [path for path in entries if len(path.parts) == len(entries[0].parts)]
    if len(nearest) > 1:
        names = ", ".join(path.relative_to(top).as_posix() for path in nearest)
        raise RefusedError([message(entry, f"there are several ({names}); submit one of them")])
    return nearest[0].parent


def _alike(engine: Engine, top: Path) -> list[str]:
    """Files that may have been meant to be the entry, a few of them."""
    ending, own = Path(engine.entry).suffix, engine.headers()
    paths = (path for path in sorted(top.rglob(f"*{ending}")) if not _is_hidden(path, top))
    names = [path.relative_to(top).as_posix() for path in paths if path.name not in own]
    return names[:_MAX_NAMES]


def _is_hidden(path: Path, top: Path) -> bool:
    return any(map(skipped, path.relative_to(top).parts)) or not path.is_file()


def _stage(engine: Engine, root: Path, target: Path) -> tuple[list[Message], list[str]]:
    """Copy a submission but what the engine has; returns notes about that, and files it lacked.

    The engine's own headers lie beside it, as they did in the course: folders reach them with
    ``../Card.h``.
    """
    own = engine.headers()
    names = {header.lower() for header in own}
    entries = named_alike(root.iterdir(), engine.entry)
    target.mkdir()
    shadowed = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if any(map(skipped, name.parts)):
            continue
        if path.is_dir():
            (target / name).mkdir()
        elif path.name.lower() in names:
            shadowed.append(name.as_posix())
        else:
            (target / (engine.entry if path in entries else name)).write_bytes(path.read_bytes())
    for header in own:
        (target / header).write_bytes((engine.folder / header).read_bytes())
    copies = [name for name in shadowed if "/" in name and Path(name).name in own]
    for copy in copies:  # which may be included by its path
        (target / copy).write_text(f'#include "{"../" * copy.count("/")}{Path(copy).name}"\n')
    notes = [message(name, "not used: the engine's own file is") for name in shadowed]
    spelling, forwarders = forward_includes(target)
    return [*notes, *spelling], [*copies, *forwarders]


def _made(
    engine: Engine, directory: Path, notes: list[Message], own_files: Set[str], *, checked: bool
) -> bytes:
    """The object and its lines. Notes which files were left out, of those that are not ours."""
    own, made = (str(directory / name) for name in ("faults.o", "made.so"))
    knows = ("-DFIREBOX_CHECKED",) if checked else ()
    _run("g++", "-std=c++11", "-O1", *knows, *_MADE, "-iquote", str(INCLUDED), "-c",
         str(_HERE / "faults.cpp"), "-o", own, directory=directory)  # fmt: skip
    compiled, failed = _compiled(engine, directory, checked=checked)
    linked = (*_LINKED, *((_SANITIZERS,) if checked else ()))
    compiled["faults.cpp"] = own
    unused = unused_files(directory / "agent", list(directory.glob("*.d")), own_files)
    try:
        objects, left_out = _linked(compiled, failed, (*linked, "-o", made), directory)
    except RefusedError as refused:
        uncompiled = [name for name in unused if not name.endswith(engine.dialect.suffixes)]
        hints = hints_at_definitions(directory / "agent", uncompiled)
        raise RefusedError([*hints, *refused.messages]) from None
    told = {note["file"] for note in left_out}
    notes += [*left_out, *(message(name, UNUSED) for name in unused if name not in told)]
    lines = _lines(made, directory, inlined=engine.dialect.inlined)
    if not checked:  # the sanitizers find names and lines in what would be left out
        _run("g++", *linked, "-s", *objects, "-o", made, directory=directory)
    return Path(made).read_bytes() + lines


def _linked(
    objects: dict[str, str], failed: list[Message], link: tuple[str, ...], directory: Path
) -> tuple[list[str], list[Message]]:
    """Link objects, by their sources; return what with, and notes on files that were left out.

    The program does without files that do not compile and without those that have a second
    ``main``, if the rest can be linked. Raises RefusedError.
    """
    try:
        _run("g++", *link, *objects.values(), directory=directory)
    except RefusedError as refused:
        if failed:
            raise RefusedError(failed) from None
        twice = [
            message for message in refused.messages if message["text"].startswith(_SECOND_MAIN)
        ]
        rest = {name: made for name, made in objects.items() if not _is_told(name, twice)}
        if len(rest) == len(objects):
            raise
        _run("g++", *link, *rest.values(), directory=directory)
        return list(rest.values()), _notes_on(twice)
    return list(objects.values()), _notes_on(failed)


def _is_told(name: str, messages: list[Message]) -> bool:
    return any(_known_as(name) == message["file"] for message in messages)


def _notes_on(why: list[Message]) -> list[Message]:
    """A note on each file that has complaints."""
    first = {message["file"]: message for message in reversed(why)}
    return [
        {**message, "text": f"not used: the program does not need it; {message['text']}"}
        for message in first.values()
    ]


def _compiled(
    engine: Engine, directory: Path, *, checked: bool
) -> tuple[dict[str, str], list[Message]]:
    """The objects that come of the adapter, the entry and the submission's other files, by source.

    And the complaints about other files that do not compile. Raises RefusedError for the entry.
    """
    code = (*_CHECKED, *_names(directory)) if checked else engine.dialect.code
    adapter = str(engine.folder / "adapter.cpp")
    ours = ("-iquote", str(_HERE), "-iquote", str(engine.folder))
    objects: dict[str, str] = {}
    failed: list[Message] = []
    for number, source in enumerate([adapter, *_sources(engine, directory / "agent")]):
        made = str(directory / f"{number}.o")
        try:
            _run("g++", *engine.dialect.standard, *_MESSAGES, *code, *_MADE, "-MMD",
                 *_NO_CLOCK, *(ours if source == adapter else ()), "-iquote", ".",
                 "-c", source, "-o", made, directory=directory)  # fmt: skip
        except RefusedError as refused:
            if number < _FIRST_OF_OTHERS:
                raise
            failed += refused.messages
        else:
            objects[source] = made
    return objects, failed


def _sources(engine: Engine, folder: Path) -> list[str]:
    """The files in a staged submission that are compiled, as seen from there: the entry first."""
    sources = [
        f"./{path.relative_to(folder).as_posix()}"
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in engine.dialect.suffixes and path.is_file()
    ]
    return sorted(sources, key=lambda name: name != f"./{engine.entry}")


def _names(directory: Path) -> tuple[str, ...]:
    """Files are called in reports what their author, or we, call them."""
    folders = (f"{directory}/agent/", f"{_HERE.parent}/")
    return tuple(f"-ffile-prefix-map={folder}=" for folder in folders)


def _lines(made: str, directory: Path, *, inlined: bool) -> bytes:
    """The lines of the agent's files by address in the object; empty if there are too many."""
    command = ("objdump", "--dwarf=decodedline", made)
    output, status = run_program(command, directory / "agent", most_bytes=_MAX_LINES_BYTES)
    if status or output.endswith(CANNOT_SAY_ALL):
        return appendix("")
    return appendix(output, _callers(output, made, directory) if inlined else "")


def _callers(decoded: str, made: str, directory: Path) -> str:
    """In which of the agent's lines the code of others lies that was put there; empty if that is
    too much."""
    addresses = directory / "addresses"
    addresses.write_text("".join(f"{address:#x}\n" for address in foreign(decoded)))
    command = ("addr2line", "-a", "-i", "-e", made, f"@{addresses}")
    output, status = run_program(command, directory / "agent", most_bytes=_MAX_LINES_BYTES)
    return (
        ""
        if status or output.endswith(CANNOT_SAY_ALL)
        else output.replace(f"{directory}/agent/", "")
    )


def _run(*command: str, directory: Path) -> None:
    """Run a program in the agent's folder, and log what it says.

    Raises RefusedError if it fails.
    """
    try:
        output, status = run_program(command, directory / "agent", most_bytes=_MAX_SAID_BYTES)
    except FileNotFoundError as error:
        raise missing(command[0], "C++") from error
    for folder in (directory / "agent", directory, _HERE.parent):
        output = output.replace(f"{folder}/", "")
    sys.stderr.write(shortened(output))
    sys.stderr.flush()
    if status != 0:
        raise RefusedError(_complaints(output))


def _complaints(output: str) -> list[Message]:
    """The errors in what a compiler or linker said, as many as are worth showing."""
    if _NO_MEMORY.search(output):
        return [message("", "The sources need too much memory to compile.")]
    if _NO_MAIN in output:
        return [message("", "There is no function main in the sources.")]
    matches = [*_COMPLAINT.finditer(output), *_UNDEFINED.finditer(output)]
    if not matches and CANNOT_SAY_ALL in output:
        return [message("", "The compiler has too much to say about the sources.")]
    if not matches and _NO_SPACE.search(output):
        return [message("", "The sources become too large when they are compiled.")]
    if not matches:
        return [message("", f"The compiler failed: {output.strip()[-600:] or 'it said nothing'}")]
    return [
        message(
            _known_as(match["file"]),
            match["text"],
            int(match["line"]),
            int(match.groupdict().get("column") or 0),
        )
        for match in matches[:MAX_MESSAGES]
    ]


def _known_as(file: str) -> str:
    """A file's name as its author knows it."""
    name = file.removeprefix("./")
    return Path(name).name if name.startswith("/") else name
