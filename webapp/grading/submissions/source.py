"""The lines of an upload that a complaint or a note is about, to be shown beside it."""

import logging
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Final

from grader.core.errors import SystemFault
from grader.core.records import Evidence
from grader.interfaces import interface_named
from grader.results.evidence import own_line
from grader.uploads.archive import stored_name
from webapp.base.errors import Refused
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive

logger = logging.getLogger(__name__)

AROUND: Final = 2
MAX_SOURCE_BYTES: Final = 1 << 20
MAX_COLUMNS: Final = 200
_STARTS: Final = re.compile(
    r"\bstd::(?:j?thread|async)\b|\b(?:pthread_create|v?fork|popen|system|exec[lv]p?e?)\s*\("
    r"|\bnew (?:Thread|Timer)\b|\bExecutors\.new|\bforkO[SN]\b"
)
"""Ways to start a thread or a process in C++, Java and Haskell."""
MAX_LINES: Final = 20_000


@dataclass(frozen=True, slots=True)
class SourceLine:
    number: int
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Complaint:
    file: str
    line: int
    column: int
    """From 1; 0 if it is not known."""
    text: str
    """Its first line says what; compilers explain in more."""
    lines: tuple[SourceLine, ...]
    """None if it concerns the whole file, or if the source cannot be had."""


def complaints(submission: Submission, messages: Sequence[Mapping[str, Any]]) -> list[Complaint]:
    """Return messages or notes with their lines. Reads the store if they name lines."""
    named = any(message.get("line") for message in messages)
    with _sources(submission) if named else nullcontext() as files:
        return [_complaint(submission, files, message) for message in messages]


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """The line of a submission from which a fault came, with the lines around it."""

    file: str
    """As its author called it."""
    line: int
    function: str
    lines: tuple[SourceLine, ...]

    def __str__(self) -> str:
        return f"{self.file} line {self.line}"


def fault_place(evidence: Evidence | None, submission: Submission | None) -> FaultPlace | None:
    """Return the place of a fault, if the agent's output tells it. Reads the store."""
    own = None if evidence is None else own_line(evidence.stderr)
    if own is None:
        return None
    lines: Sequence[str] = ()
    if submission is not None:
        with _sources(submission) as files:
            lines = _read(files, own.file)
    told = (SourceLine(own.line, own.text, marked=True),) if own.text else ()
    around = _around(lines, own.line) if own.line <= len(lines) else told
    file = own.file if submission is None else uploaded_name(submission, own.file)
    function = "" if own.function == "<module>" else own.function
    return FaultPlace(file, own.line, function, around)


def first_start(submission: Submission) -> FaultPlace | None:
    """Return the line that looks like a start of a thread or a process, if there is only one.

    For compiled languages: the sandbox ends them before they can tell. Reads the store.
    """
    with _sources(submission) as files:
        sources = {} if files is None else {name: _read(files, name) for name in files.namelist()}
    found = [
        (name, number, lines)
        for name, lines in sources.items()
        for number, line in enumerate(lines, start=1)
        if _STARTS.search(line)
    ]
    if len(found) != 1:
        return None
    ((name, number, lines),) = found
    return FaultPlace(uploaded_name(submission, name), number, "", _around(lines, number))


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A file of a submission, to be read as a page."""

    name: str
    names: tuple[str, ...]
    lines: tuple[SourceLine, ...]


def source_file(submission: Submission, name: str = "") -> ShownSource | None:
    """Return a file, the first by default; ``None`` if there is none of this name.

    Raises Refused if the sources were removed; SystemFault if the store does not have them.
    """
    with zipfile.ZipFile(BytesIO(archive(submission))) as files:
        stored = sorted(path for path in files.namelist() if not path.endswith("/"))
        names = {uploaded_name(submission, path): path for path in stored}
        shown = [each for each in names if not name or f"/{each}".endswith(f"/{name}")]
        if not shown or (name and len(shown) > 1 and name not in names):
            return None
        file = name if name in names else shown[0]
        numbered = enumerate(_read(files, names[file])[:MAX_LINES], start=1)
        lines = [SourceLine(number, text[:MAX_COLUMNS], marked=False) for number, text in numbered]
    return ShownSource(file, tuple(names), tuple(lines))


@contextmanager
def _sources(submission: Submission) -> Iterator[zipfile.ZipFile | None]:
    try:
        data = archive(submission)
    except Refused:
        yield None
    except SystemFault as fault:
        logger.warning("the source of submission %d cannot be shown: %s", submission.pk, fault)
        yield None
    else:
        with zipfile.ZipFile(BytesIO(data)) as files:
            yield files


def uploaded_name(submission: Submission, file: str) -> str:
    """Return the name under which the student uploaded a file."""
    name, shape = submission.filename, interface_named(submission.interface).upload
    alone = not name.lower().endswith(".zip")
    return name if alone and file and file in {stored_name(name, shape), shape.stored_as} else file


def _complaint(
    submission: Submission, files: zipfile.ZipFile | None, message: Mapping[str, Any]
) -> Complaint:
    file, line = str(message.get("file", "")), int(message.get("line", 0))
    lines = _around(_read(files, file), line) if line else ()
    column = int(message.get("column", 0))
    return Complaint(
        uploaded_name(submission, file), line, column, str(message.get("text", "")), lines
    )


def _read(files: zipfile.ZipFile | None, name: str) -> Sequence[str]:
    """Return the file's lines; none if the archive has no such file.

    A file is also found by its mere name: stack traces do not tell its folder.
    """
    if files is None:
        return ()
    known = files.namelist()
    matching = [name] if name in known else [path for path in known if path.endswith(f"/{name}")]
    if len(matching) != 1:
        return ()
    with files.open(matching[0]) as file:
        return text_lines(file.read(MAX_SOURCE_BYTES))


def text_lines(data: bytes) -> list[str]:
    """Return the lines of a source; they end where compilers end them."""
    text = StringIO(data.decode("utf-8", "replace"), newline=None)
    return [line.removesuffix("\n") for line in text]


def _around(lines: Sequence[str], line: int) -> tuple[SourceLine, ...]:
    first = max(line - AROUND, 1)
    shown = lines[first - 1 : line + AROUND]
    return tuple(
        SourceLine(number, text[:MAX_COLUMNS], number == line)
        for number, text in enumerate(shown, start=first)
    )
