"""The build step: from a student's modules to one shared object. It runs in a builder.

Modules that would have the compiler run code or programs are refused before it starts.
"""

import re
import sys
from collections.abc import Iterator
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
    named_alike,
    require_own_end,
    run_program,
    shortened,
    skipped,
)
from firebox_native.lines import appendix

_PACKAGES: Final = (
    "array", "base", "bytestring", "cassava", "containers", "deepseq", "filepath", "mtl", "random",
    "stm", "text", "time", "transformers", "utility-ht", "vector",
)  # fmt: skip
"""Libraries that agents can import; the image has these."""
_EXTENSIONS: Final = ("NamedFieldPuns", "DuplicateRecordFields")
"""Extensions that the course's project switches on for every module."""
_CODE: Final = (
    "-O1", "-g1", "-fPIC", "-dynamic", "-hide-all-packages", f"-I{INCLUDED}", "-v1",
    "-fdiagnostics-color=never", "-fno-diagnostics-show-caret", "-Wno-all", "-Wmissing-methods",
    "-Wincomplete-patterns",
)  # fmt: skip
_DEBIAN: Final = Path("/usr/lib/ghc")
_MEMORY: Final = ("+RTS", "-V0", "-M400m", "-A16m", "-RTS")
_ADAPTER: Final = ("FireboxAdapter.hs", "adapter.c")
_ENTRY: Final = "Player.hs"
_ENTRY_BOOT: Final = "Player.hs-boot"
_MAX_SAID_BYTES: Final = 256 << 10
_MAX_LINES_BYTES: Final = 16 << 20

_PRAGMA: Final = re.compile(r"\{-#\s*(?P<word>\w+)")
"""Wherever one could begin, also within another or a comment: the compiler may see it otherwise."""
_WORDS: Final = re.compile(r"[ \t\r\n\w,-]{0,4000}#-\}", re.ASCII)
"""Characters in lists of extensions and options: no comments, no quotes, no other letters."""
_READ_BY_GHC: Final = {".hs": ".o", ".hs-boot": ".o-boot"}
"""Endings of the files that the compiler looks for by a module's name, and of what it makes of them
if a module that plays imports them; no other file gets near it."""
_HARMLESS: Final = re.compile(r"-(w|W[\w-]*|O[012]?|f(no-)?warn[\w-]*|X\w+)")
"""Options of the compiler that a module may set."""
_RUNS_CODE: Final = frozenset({"templatehaskell", "templatehaskellquotes", "quasiquotes", "cpp"})

_COMMENT: Final = re.compile(r"\{-(?:[^{-]|\{(?!-)|-(?!\}))*-\}|--+(?![!#$%&*+./<=>?@\\^|~:]).*")
"""Comments that have no other within, and pragmas."""
_DEEPEST_COMMENT: Final = 20
_NO_LETTER: Final = "\N{REPLACEMENT CHARACTER}"
_HEADER: Final = "write: module Player (playCard, makeBid) where"
_MODULE: Final = re.compile(r"\s*module\s+(?P<name>[\w.\']+)")
_COMPLAINT: Final = re.compile(
    r"^(?P<file>\S[^\n:]*\.hs(?:-boot)?):(?P<line>\d+):(?P<column>\d+)(?:-\d+)?: error:"
    r"(?P<text>.*(?:\n(?![ \t]*$)[ \t].*|\n(?=[ \t\n]*\n[ \t]+\S)[ \t]*)*)",
    re.MULTILINE,
)
_PROGRESS: Final = re.compile(
    r"^(?:\[ *\d+ of \d+\] Compiling|Linking) [^\n]*\n|^[ \t]*\n", re.MULTILINE
)
"""Lines that tell nothing about the sources."""
_SPAN: Final = re.compile(
    r"^(\S[^\n:]*\.hs(?:-boot)?):\((\d+),(\d+)\)-\(\d+,\d+\): error:", re.MULTILINE
)
_UNIT: Final = re.compile(r"^(?:CU: )?(?:\./)?(\S[^\n:]*\.hs):(?:\[\+\+\])?$", re.MULTILINE)
"""The lines in which objdump names the file of the lines that follow."""
_NO_MEMORY: Final = re.compile(
    r"[Hh]eap (?:exhausted|overflow)|out of memory|annot allocate memory"
)
_CIRCLE: Final = "Module imports form a cycle"
_NO_SPACE: Final = re.compile(r"No space left|File too large|File size limit")


def build(modules: Path, agent_dir: str, out_fd: int) -> None:
    """Compile a submission with the course's modules; write the report and the object."""

    def make(sources: Path, directory: Path, notes: list[CompilerMessage]) -> bytes:
        folder = directory / "agent"
        notes += _stage(modules, sources, folder)
        refused = _take_away_what_runs(folder, modules)
        _require_its_name(folder / _ENTRY)
        made = directory / "made.so"
        try:
            _compile(folder, made)
        except RefusedError:
            if refused:  # one of these may be what is missing
                raise RefusedError(refused) from None
            raise
        notes += [{**entry, "text": f"not used: {entry['text']}"} for entry in refused]
        notes += _notes_on_unused(folder, modules)
        return made.read_bytes() + _lines(made, folder, modules)

    build_with(make, agent_dir, out_fd)


def _stage(modules: Path, sources: Path, target: Path) -> list[CompilerMessage]:
    """Put a submission's modules beside the course's; those of the same names are left out, noted.

    Raises RefusedError without a module that plays.
    """
    root = _root_of(sources)
    own = {path.relative_to(modules).as_posix() for path in modules.rglob("*") if path.is_file()}
    entries = named_alike(root.iterdir(), _ENTRY)
    boots = named_alike(root.iterdir(), _ENTRY_BOOT)
    spelt = dict.fromkeys(entries, Path(_ENTRY)) | dict.fromkeys(boots, Path(_ENTRY_BOOT))
    notes: list[CompilerMessage] = []
    target.mkdir()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_dir() or any(map(skipped, name.parts)):
            continue
        if path.suffix.lower() not in _READ_BY_GHC:
            continue
        name = name.with_suffix(path.suffix.lower())
        if name.as_posix() in own or name.as_posix() == "Main.hs":
            notes.append(message(name.as_posix(), "not used: the engine's own file is"))
            continue
        _write(_without_old_letters(path.read_bytes()), target / spelt.get(path, name))
    for theirs in own:
        _write((modules / theirs).read_bytes(), target / theirs)
    return notes


def _write(data: bytes, target: Path) -> None:
    """The bytes alone: a builder has no leave to set times or modes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _without_old_letters(source: bytes) -> bytes:
    """The source in UTF-8, if only letters of comments are not: the compiler skips these, but reads
    longer forms of a letter, which we do not."""
    text = source.decode("utf-8", "replace")
    return source if _NO_LETTER in _without_comments(text) else text.encode()


def _root_of(sources: Path) -> Path:
    plain = [path for path in sources.rglob("*") if _is_plain(path.relative_to(sources))]
    entries = sorted(named_alike(plain, _ENTRY), key=lambda path: (len(path.parts), path))
    if not entries:
        text = f"there is no {_ENTRY} in the submission; name your file so"
        raise RefusedError([message(_ENTRY, text)])
    nearest = [path for path in entries if len(path.parts) == len(entries[0].parts)]
    if len(nearest) > 1:
        names = ", ".join(path.relative_to(sources).as_posix() for path in nearest)
        raise RefusedError([message(_ENTRY, f"there are several ({names}); submit one of them")])
    return nearest[0].parent


def _is_plain(name: Path) -> bool:
    return not any(map(skipped, name.parts))


def _take_away_what_runs(folder: Path, modules: Path) -> list[CompilerMessage]:
    """Delete files with refused or doubtful pragmas; return the complaints. Raises RefusedError."""
    own = {path.relative_to(modules) for path in modules.rglob("*.hs")}
    refused: list[CompilerMessage] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name not in own and (pragmas := [*_pragmas(path, name.as_posix())]):
            refused += pragmas
            path.unlink()
    if not (folder / _ENTRY).exists():
        raise RefusedError(refused)
    return refused


def _pragmas(path: Path, name: str) -> Iterator[CompilerMessage]:
    """GHC reads longer forms of a letter, too, which are no UTF-8: so nothing else is looked at."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        yield message(name, "this is not UTF-8; have your editor save the file as UTF-8", line)
        return
    for match in _PRAGMA.finditer(text):
        if what := _forbidden(match["word"].lower(), text, match.end()):
            line = text.count("\n", 0, match.start()) + 1
            yield message(
                name, f"{what} cannot be used here: code would run while it compiles", line
            )


def _forbidden(word: str, text: str, at: int) -> str:
    if not word.isascii():
        return "a pragma with such a letter"
    if word == "ann":
        return "the pragma ANN"
    if word not in {"language", "options", "options_ghc"}:
        return ""
    listed = _WORDS.match(text, at)
    if listed is None:
        return "anything but plain words in such a pragma"
    words = listed[0].removesuffix("#-}")
    if word == "language":
        names = re.findall(r"\w+", words)
        return next((f"the extension {name}" for name in names if name.lower() in _RUNS_CODE), "")
    return next((f"the option {one}" for one in words.split() if not _taken(one)), "")


def _taken(option: str) -> bool:
    return bool(_HARMLESS.fullmatch(option)) and option[2:].lower() not in _RUNS_CODE


def _require_its_name(entry: Path) -> None:
    """Raise RefusedError if the module that plays is not called so: the adapter imports it."""
    text = _without_comments(entry.read_text(encoding="utf-8-sig"))
    header = _MODULE.match(text)
    if header is None and not _MODULE.search(text):
        raise RefusedError([message(_ENTRY, f"it does not say which module it is; {_HEADER}")])
    if header is not None and header["name"] != entry.stem:
        line = text.count("\n", 0, header.start("name")) + 1
        why = f"the module is called {header['name']}, and the one that plays is Player; {_HEADER}"
        raise RefusedError([message(_ENTRY, why, line)])


def _without_comments(text: str) -> str:
    for _ in range(_DEEPEST_COMMENT):
        before, text = text, _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        if text == before:
            break
    return text


def _compile(folder: Path, made: Path) -> None:
    """Make the object. Raises RefusedError with the compiler's complaints.

    The adapter's own options keep the agent's code from being inlined in it: the agent's lines are
    to be found in the agent's own code.
    """
    packages = [word for name in _PACKAGES for word in ("-package", name)]
    extensions = [f"-X{name}" for name in _EXTENSIONS]
    linked = ("-shared", "-no-hs-main", *_runtime(), "-o", str(made))
    _run(folder, "--make", *_CODE, *packages, *extensions, *linked, *_ADAPTER)


def _notes_on_unused(folder: Path, modules: Path) -> list[CompilerMessage]:
    files = [
        path
        for path in sorted(folder.rglob("*.hs*"))
        if path.suffix in _READ_BY_GHC and not path.with_suffix(_READ_BY_GHC[path.suffix]).exists()
    ]
    names = [path.relative_to(folder) for path in files]
    return [
        message(name.as_posix(), "not used: no module that plays imports it")
        for name in names
        if not (modules / name).exists()
    ]


def _run(folder: Path, *arguments: str) -> None:
    """Run the compiler and log its output. Raises RefusedError and KilledError."""
    command = [*_compiler(), *arguments, *_MEMORY]
    try:
        output, status = run_program(
            command, folder, most_bytes=_MAX_SAID_BYTES, environment=_environment()
        )
    except FileNotFoundError as error:
        raise missing(command[0], "Haskell") from error
    output = output.replace(f"{folder}/", "")
    refused = _complaints(output) if status else []
    sys.stderr.write(shortened(_PROGRESS.sub("", _COMPLAINT.sub("", _with_places(output)))))
    sys.stderr.flush()
    if status != 0:
        raise RefusedError(refused)


def _lines(made: Path, folder: Path, modules: Path) -> bytes:
    """Return the lines of the agent's files by address; empty if there are too many."""
    command = ("objdump", "--dwarf=decodedline", str(made))
    output, status = run_program(command, folder, most_bytes=_MAX_LINES_BYTES)
    if status or output.endswith(CANNOT_SAY_ALL):
        return appendix("")
    own = {path.relative_to(modules).as_posix() for path in modules.rglob("*.hs")}

    def named(match: re.Match[str]) -> str:
        return f"{match[1]}:" if match[1] in own else f"./{match[1]}:"

    return appendix(_UNIT.sub(named, output))


def _compiler() -> list[str]:
    """Debian's compiler without the shell script that starts it; or whichever there is."""
    program = _DEBIAN / "bin" / "ghc"
    return [str(program), f"-B{_DEBIAN}"] if program.exists() else ["ghc"]


def _environment() -> dict[str, str]:
    """Return the environment: UTF-8, and the compiler's own place, as it may not have /proc."""
    libraries = ":".join(str(path) for path in sorted(_DEBIAN.glob("*/")))
    return {"LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": libraries}


def _runtime() -> list[str]:
    """The runtime without threads, which the compiler would leave to a program to choose."""
    libraries = sorted((_DEBIAN / "rts").glob("libHSrts-ghc*.so"))
    return [f"-optl{libraries[0]}"] if libraries else []


def _complaints(output: str) -> list[CompilerMessage]:
    """Return the first errors in the compiler's output. Raises KilledError."""
    matches = list(_COMPLAINT.finditer(_with_places(output)))
    if not matches:
        require_own_end(output)
    if _NO_MEMORY.search(output):
        return [message("", "The sources need too much memory to compile.")]
    if _NO_SPACE.search(output):
        return [message("", "The sources become too large when they are compiled.")]
    if _CIRCLE in output:
        text = _plain(output[output.index(_CIRCLE) :])
        return [message("", f"{text}; use {{-# SOURCE #-}} and a .hs-boot file, or a third module")]
    if not matches and CANNOT_SAY_ALL in output:
        return [message("", "The compiler has too much to say about the sources.")]
    if not matches:
        return [message("", f"The compiler failed: {output.strip()[-600:] or 'it said nothing'}")]
    return [
        message(match["file"], _plain(match["text"]), int(match["line"]), int(match["column"]))
        for match in matches[:MAX_MESSAGES]
    ]


def _with_places(output: str) -> str:
    return _SPAN.sub(r"\1:\2:\3: error:", output)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("•", " ")).strip()[:800]
