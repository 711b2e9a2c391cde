"""Read a table from the bytes of a CSV file, of any program. Pure."""

import csv
import io
import re
from dataclasses import dataclass
from typing import Final

from webapp.base.errors import Refused

MAX_BYTES: Final = 1 << 20
MAX_ROWS: Final = 5000
_MAX_COLUMNS: Final = 300
_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_NO_TEXT: Final = "This is not a text file. Export the list of people as CSV."
_LINES_NAMED: Final = 5
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as ``surrogateescape`` reads it."""
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f\udc80-\udcff]")
"""A letter that UTF-8 writes in several bytes."""
_FORMULA: Final = tuple("=+-@\t\r")
_SEPARATOR: Final = re.compile(r"sep=([;,\t])\r?\n", re.IGNORECASE)
"""The line that tells Excel the separator of cells."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One row below the header."""

    number: int
    """In the file, from 1; the last line of a row that has several."""
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RosterTable:
    """A header and its rows. Rows have as many cells as the header."""

    header: tuple[str, ...]
    lines: tuple[RosterLine, ...]


def text_of(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a mark, or Windows-1252.

    Raises Refused for other encodings, and for lines in another encoding than the rest: read as
    Windows-1252, they would garble the other lines.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    try:
        text = data.decode(marked or "utf-8")
    except UnicodeDecodeError:
        if marked == "utf-16":
            raise Refused(_NO_TEXT) from None
        text = _text_of_code_page(data, is_marked=marked is not None)
    if "\0" in text:
        raise Refused(_NO_TEXT)
    return text


def _text_of_code_page(data: bytes, *, is_marked: bool) -> str:
    """Return a text that is not UTF-8. Raises Refused where a part of it is."""
    wrong = data.decode("utf-8-sig", "surrogateescape")
    if is_marked or _BEYOND_ASCII.search(wrong):
        raise Refused(_mixed_words(wrong))
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise Refused(_NO_TEXT) from None


def _mixed_words(text: str) -> str:
    lines = re.split(r"\r\n|\r|\n", text)
    wrong = [str(number) for number, line in enumerate(lines, 1) if _ESCAPED.search(line)]
    shown = ", ".join(wrong[:_LINES_NAMED]) + (" and others" if wrong[_LINES_NAMED:] else "")
    which = f"Line {shown} has" if len(wrong) == 1 else f"Lines {shown} have"
    return (
        f"{which} a letter that is not in UTF-8, as the rest of the file is. Write the letter"
        " again, or export the list again as CSV in UTF-8."
    )


def table_of(text: str) -> RosterTable:
    """Return the table in a text. The header is the first line that is not empty."""
    try:
        rows = _rows(text.removeprefix("\ufeff"))
    except csv.Error as error:
        raise Refused(f"This cannot be read as CSV: {error}.") from error
    if len(rows) < 2:
        raise Refused("There are no people in this file: it needs a header, and a line for each.")
    if len(rows) > MAX_ROWS + 1:
        raise Refused(f"This file has more than {MAX_ROWS} lines.")
    header = rows[0].cells
    if len(header) > _MAX_COLUMNS:
        raise Refused(f"This file has more than {_MAX_COLUMNS} columns.")
    width = len(header)
    lines = (RosterLine(row.number, (*row.cells, *[""] * width)[:width]) for row in rows[1:])
    return RosterTable(header, tuple(lines))


def _rows(text: str) -> list[RosterLine]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t;,", key=first.count)
    if named := _SEPARATOR.match(text):
        text, delimiter = "\n" + text[named.end() :], named[1]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    for cells in reader:
        if any(cell.strip() for cell in cells):
            rows.append(RosterLine(reader.line_num, tuple(_clean(cell) for cell in cells)))
        if len(rows) > MAX_ROWS + 1:
            break
    return rows


def _clean(cell: str) -> str:
    text = " ".join(cell.split())
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
