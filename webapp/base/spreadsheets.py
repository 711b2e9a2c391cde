"""CSV that is safe to open: a cell that a spreadsheet would take for a formula is neutralised.

Ours, not the package defusedcsv: that looks at the first character of a cell only, and leaves marks
of reading direction, blanks and cells within cells alone.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, TypeAlias

Cell: TypeAlias = str | int | float | Decimal | datetime | None

_FORMULA: Final = re.compile(r"^(?=[\t\r])|(^|[;\t\r\n])([^\S;\t\r\n]*)(?=[=+\-@＝＋－＠])")
"""The beginning of a formula: a semicolon ends a cell where numbers have a comma, a tab or the end
of a line elsewhere. Some spreadsheets of East Asia take wide signs for the usual ones."""
_UNSEEN: Final = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Marks that have letters read from the other side, so that a name looks like another one; and what
takes no room, before which a formula would look like none."""
_MARK: Final = "\ufeff"

_HARMLESS: Final = re.compile(r"[A-Za-z0-9#(][ !-:<-~]*")
"""Most cells, told in a tenth of the time: printable ASCII without a semicolon, and no sign of a
formula at its beginning."""


def neutral(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet might begin to calculate.

    Also when blanks come first: some programs strip them. Numbers are never given as text here.
    Marks of reading direction are left out, and what takes no room.
    """
    if _HARMLESS.fullmatch(text):
        return text
    return _FORMULA.sub(r"\1'\2", _UNSEEN.sub("", text))


def to_csv(
    header: Sequence[str] | None, rows: Iterable[Sequence[Cell]], *, delimiter: str = ","
) -> str:
    """Lines end in CRLF, as RFC 4180 has it; empty cells for ``None``; times in ISO 8601.

    With a header, a file for people, which begins with a byte order mark. Without one, a part that
    follows another, or rows for a program: nothing is put before them.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    if header is not None:
        text.write(_MARK)  # Excel on Windows reads other files in the system's code page
        writer.writerow(header)
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return text.getvalue()


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return neutral(cell)
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    return str(cell)
