"""The build step: from a student's sources to one shared object. It runs in a builder."""

import os
import re
import sys
from pathlib import Path
from typing import Final

from firebox_native.builder import (
    CANNOT_SAY_ALL,
    INCLUDED,
    MAX_MESSAGES,
    CompilerMessage,
    RefusedError,
    build_with,
    message,
    missing,
    require_own_end,
    run_program,
    shortened,
)
from firebox_native.lines import appendix, foreign

from .engine import HEADERS, PROGRAM, Dialect, Engine
from .includes import UNUSED, definitions_beside, hints_at_definitions, unused_files
from .staging import StagingArea, root_of, stage_submission

__all__ = ["HEADERS", "PROGRAM", "Dialect", "Engine", "build"]

_HERE: Final = Path(__file__).parent
_WINDOWS: Final = _HERE / "windows"
"""Headers of Windows that agents can do without, for what the upload does not have."""
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

_COMPLAINT: Final = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$",
    re.MULTILINE,
)
_UNDEFINED: Final = re.compile(
    r"^(?:\S*ld: )?(?:\S*\.o:)?(?P<file>[^\n:]+):(?P<line>\d+): "
    r"(?P<text>(?:undefined reference to|multiple definition of) [^;\n]*)",
    re.MULTILINE,
)
_UNDEFINED_LINE: Final = re.compile(f"{_UNDEFINED.pattern}[^\n]*\n?", re.MULTILINE)
"""The same with the end of its line: the report has it."""
_NAMED: Final = re.compile(
    r"^((?:In file included| {2,}) from )?([^\n:]+):(?=\d| In )", re.MULTILINE
)
"""The name of a file in a line of the compiler's, with what stands in front of it."""
_LINKER: Final = re.compile(
    r"^(?:\S*ld: )?\S+\.o: in function [^\n]*:\n|^collect2: error: [^\n]*\n?", re.MULTILINE
)
"""Lines of the linker's that tell nothing about the sources."""
_ABSENT: Final = re.compile(r"([\w./]+): No such file or directory")
_OF_WINDOWS: Final = {
    "conio.h": "keyboard and screen of the Windows console; nobody can type here",
    "windows.h": "Windows itself; agents run on Linux",
}
"""Headers that only Windows has, in lower case, and what they are for."""
_SECOND_MAIN: Final = "multiple definition of `main'"
_FIRST_OF_OTHERS: Final = 2
"""Number of the first compiled file that is neither the adapter nor the entry."""
_NO_CLOCK: Final = ("-Wno-builtin-macro-redefined", '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"')
"""The date of a file for its macros, as ``SOURCE_DATE_EPOCH`` is for the compiler's own."""
_FEW_NAMES: Final = ("-DFIREBOX_FEW_NAMES",)
"""Has an engine's headers put few names of the library beside the agent's own."""
_AMBIGUOUS: Final = "is ambiguous"
_NO_MAIN: Final = "undefined reference to `main'"
_NO_MEMORY: Final = re.compile(r"out of memory|[Mm]emory exhausted|annot allocate memory")
_NO_SPACE: Final = re.compile(r"No space left|File too large|File size limit")


def build(engine: Engine, agent_dir: str, out_fd: int, *, checked: bool = False) -> None:
    """Compile a submission; write the report and the object.

    A ``checked`` one reports where the first memory error is, and needs sanitizers' libraries.
    """

    def make(sources: Path, directory: Path, notes: list[CompilerMessage]) -> bytes:
        root = root_of(engine, sources)
        stage = StagingArea(directory / "agent", root.relative_to(sources))
        notes += stage_submission(engine, sources, stage)
        return _made(engine, stage, notes, checked=checked)

    build_with(make, agent_dir, out_fd)


def _made(
    engine: Engine, stage: StagingArea, notes: list[CompilerMessage], *, checked: bool
) -> bytes:
    """Return the object and its lines. Notes which of the agent's files were left out."""
    directory = stage.top.parent
    own, made = (str(directory / name) for name in ("faults.o", "made.so"))
    knows = ("-DFIREBOX_CHECKED",) if checked else ()
    _run("g++", "-std=c++11", "-O1", *knows, *_MADE, "-iquote", str(INCLUDED), "-c",
         str(_HERE / "faults.cpp"), "-o", own, directory=directory)  # fmt: skip
    compiled, failed = _compiled(engine, stage, checked=checked)
    linked = (*_LINKED, *((_SANITIZERS,) if checked else ()))
    compiled["faults.cpp"] = own
    unused = unused_files(stage.top, list(directory.glob("*.d")), stage.ours)
    try:
        objects, left_out = _linked(compiled, failed, (*linked, "-o", made), directory)
    except RefusedError as refused:
        tried = (*engine.dialect.suffixes, *(each["file"] for each in failed))
        uncompiled = [name for name in unused if not name.endswith(tried)]
        hints = hints_at_definitions(stage.top, uncompiled)
        raise RefusedError([*hints, *refused.messages]) from None
    told = {note["file"] for note in left_out}
    notes += [*left_out, *(message(name, UNUSED) for name in unused if name not in told)]
    lines = _lines(made, directory, inlined=engine.dialect.inlined)
    if not checked:  # the sanitizers find names and lines in what would be left out
        _run("g++", *linked, "-s", *objects, "-o", made, directory=directory)
    return Path(made).read_bytes() + lines


def _linked(
    objects: dict[str, str], failed: list[CompilerMessage], link: tuple[str, ...], directory: Path
) -> tuple[list[str], list[CompilerMessage]]:
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


def _is_told(name: str, messages: list[CompilerMessage]) -> bool:
    return any(_known_as(name) == message["file"] for message in messages)


def _notes_on(why: list[CompilerMessage]) -> list[CompilerMessage]:
    first = {message["file"]: message for message in reversed(why)}
    return [
        {**message, "text": f"not used: the program does not need it; {message['text']}"}
        for message in first.values()
    ]


def _compiled(
    engine: Engine, stage: StagingArea, *, checked: bool
) -> tuple[dict[str, str], list[CompilerMessage]]:
    """Return the objects by source, and complaints about optional files that do not compile.

    Raises RefusedError with all complaints if the entry does not compile.
    """
    failed: list[CompilerMessage] = []
    for names in ((), _FEW_NAMES):
        try:
            return _compiled_with(names, engine, stage, checked=checked)
        except RefusedError as refused:
            failed = failed or refused.messages
            if not any(_AMBIGUOUS in each["text"] for each in failed):
                break
    raise RefusedError(failed)


def _compiled_with(
    names: tuple[str, ...], engine: Engine, stage: StagingArea, *, checked: bool
) -> tuple[dict[str, str], list[CompilerMessage]]:
    directory = stage.top.parent
    code = (*_CHECKED, *_names(directory)) if checked else engine.dialect.code
    adapter = str(engine.folder / "adapter.cpp")
    ours = ("-iquote", str(_HERE), "-iquote", str(engine.folder))
    beside_others = ("-idirafter", str(_WINDOWS), "-idirafter", str(engine.folder / "engine"))
    objects: dict[str, str] = {}
    failed: list[CompilerMessage] = []

    def compile_to(made: str, source: str, *options: str) -> None:
        _run("g++", *engine.dialect.standard, *_MESSAGES, *code, *_MADE, "-MMD", *_NO_CLOCK,
             *names, *options, "-iquote", _named_from_top(stage.root), *beside_others,
             "-c", source, "-o", made, directory=directory)  # fmt: skip
        objects[source] = made

    if beside := definitions_beside(stage.folder, engine.entry):
        try:
            compile_to(str(directory / "0.o"), adapter, *ours, f'-DFIREBOX_DEFINITIONS="{beside}"')
        except RefusedError as refused:
            failed += refused.messages
    needed = False
    for number, source in enumerate([adapter, *_sources(engine, stage)]):
        made = str(directory / f"{number}.o")
        try:
            if source not in objects:
                compile_to(made, source, *(ours if source == adapter else ()))
        except RefusedError as refused:
            needed = needed or number < _FIRST_OF_OTHERS
            failed += [each for each in refused.messages if each not in failed]
    if needed:
        raise RefusedError(failed)
    return objects, failed


def _sources(engine: Engine, stage: StagingArea) -> list[str]:
    sources = [
        _named_from_top(path.relative_to(stage.top))
        for path in sorted(stage.folder.rglob("*"))
        if path.suffix.lower() in engine.dialect.suffixes and path.is_file()
    ]
    entry = _named_from_top(stage.root / engine.entry)
    return sorted(sources, key=lambda name: name != entry)


def _named_from_top(path: Path) -> str:
    """A path as the compiler is given it: no name can be an option, and all are seen as ours."""
    return "." if path == Path() else f"./{path.as_posix()}"


def _names(directory: Path) -> tuple[str, ...]:
    """Files are called in reports what their author, or we, call them."""
    folders = (f"{directory}/agent/", f"{_HERE.parent}/")
    return tuple(f"-ffile-prefix-map={folder}=" for folder in folders)


def _lines(made: str, directory: Path, *, inlined: bool) -> bytes:
    """Return the lines of the agent's files by address; empty if there are too many."""
    command = ("objdump", "--dwarf=decodedline", made)
    output, status = run_program(command, directory / "agent", most_bytes=_MAX_LINES_BYTES)
    if status or output.endswith(CANNOT_SAY_ALL):
        return appendix("")
    return appendix(output, _callers(output, made, directory) if inlined else "")


def _callers(decoded: str, made: str, directory: Path) -> str:
    """Return which of the agent's lines inlined foreign code is in; empty if that is too much."""
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
    """Run a program and log its output. Raises RefusedError if it fails, KilledError if killed."""
    try:
        output, status = run_program(command, directory / "agent", most_bytes=_MAX_SAID_BYTES)
    except FileNotFoundError as error:
        raise missing(command[0], "C++") from error
    for folder in (directory / "agent", directory, _HERE.parent):
        output = output.replace(f"{folder}/", "")
    output = _NAMED.sub(lambda match: f"{match[1] or ''}{os.path.normpath(match[2])}:", output)
    refused = _complaints(output) if status else []
    sys.stderr.write(shortened(_LINKER.sub("", _UNDEFINED_LINE.sub("", output))))
    sys.stderr.flush()
    if status != 0:
        raise RefusedError(refused)


def _complaints(output: str) -> list[CompilerMessage]:
    """Return the first errors of a compiler or linker. Raises KilledError."""
    matches = [*_COMPLAINT.finditer(output), *_UNDEFINED.finditer(output)]
    if not matches:
        require_own_end(output)
    if _NO_MEMORY.search(output):
        return [message("", "The sources need too much memory to compile.")]
    if _NO_MAIN in output:
        return [message("", "There is no function main in the sources.")]
    if not matches and CANNOT_SAY_ALL in output:
        return [message("", "The compiler has too much to say about the sources.")]
    if not matches and _NO_SPACE.search(output):
        return [message("", "The sources become too large when they are compiled.")]
    if not matches:
        return [message("", f"The compiler failed: {output.strip()[-600:] or 'it said nothing'}")]
    return [
        message(
            _known_as(match["file"]),
            _explained(match["text"]),
            int(match["line"]),
            int(match.groupdict().get("column") or 0),
        )
        for match in matches[:MAX_MESSAGES]
    ]


def _explained(text: str) -> str:
    absent = _ABSENT.fullmatch(text)
    use = _OF_WINDOWS.get(absent[1].lower()) if absent else None
    return f"{text} (it is for {use}: remove what uses it)" if use else text


def _known_as(file: str) -> str:
    name = os.path.normpath(file)
    return Path(name).name if name.startswith(("/", "../")) else name
