"""CSV that is safe to open: a cell that a spreadsheet would take for a formula is neutralised."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, TypeAlias

Cell: TypeAlias = str | int | float | Decimal | datetime | None

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def neutral(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet might calculate it.

    Also when blanks come first: some programs strip them. Numbers are never given as text here.
    """
    risky = text.startswith(_FORMULA_STARTS) or text.lstrip().startswith(_FORMULA_STARTS)
    return f"'{text}" if risky else text


def to_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Lines end in CRLF, as RFC 4180 has it; empty cells for ``None``; times in ISO 8601."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
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
