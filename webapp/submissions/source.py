"""The lines of an upload that a complaint is about, to be shown beside it."""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from webapp.submissions.models import Submission
from webapp.submissions.selectors import archive

__all__ = ["Complaint", "complaints"]

AROUND: Final = 2
"""Lines shown before and after."""
MAX_SOURCE_BYTES: Final = 1 << 20
MAX_COLUMNS: Final = 200


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a source file."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, where, and the lines around it."""

    file: str
    line: int
    text: str
    lines: tuple[SourceLine, ...]


def complaints(submission: Submission) -> list[Complaint]:
    """A submission's messages with the source they speak of. Reads the store if there are any."""
    if not submission.messages:
        return []
    with zipfile.ZipFile(BytesIO(archive(submission))) as files:
        return [_complaint(files, message) for message in submission.messages]


def _complaint(files: zipfile.ZipFile, message: Mapping[str, Any]) -> Complaint:
    file, line = str(message.get("file", "")), int(message.get("line", 0))
    lines = _around(_read(files, file), line) if line else ()
    return Complaint(file, line, str(message.get("text", "")), lines)


def _read(files: zipfile.ZipFile, name: str) -> Sequence[str]:
    """The file's lines; none if the archive has no such file."""
    try:
        with files.open(name) as file:
            data = file.read(MAX_SOURCE_BYTES)
    except KeyError:
        return ()
    return data.decode("utf-8", "replace").splitlines()


def _around(lines: Sequence[str], line: int) -> tuple[SourceLine, ...]:
    first = max(line - AROUND, 1)
    shown = lines[first - 1 : line + AROUND]
    return tuple(
        SourceLine(number, text[:MAX_COLUMNS], number == line)
        for number, text in enumerate(shown, start=first)
    )
