"""Moodle's grading worksheet, filled in: its import knows students by identifiers of its own."""

import csv
import io
from collections.abc import Sequence
from typing import Final

from webapp.courses.models import Enrolment
from webapp.courses.roster.reading import MAX_BYTES, text_of
from webapp.errors import Refused
from webapp.gradebook.course import CourseTotal
from webapp.spreadsheets import to_csv

_NEEDED: Final = frozenset({"Identifier", "Email address", "Grade"})
_FEEDBACK: Final = "Feedback comments"


def filled(data: bytes, rows: Sequence[tuple[Enrolment, CourseTotal]]) -> tuple[str, int]:
    """Return the worksheet with grades and comments by address, and how many lines got a grade.

    Each row is of one assignment. Lines of people without points stay as they are. Raises Refused
    for a file that is no such worksheet.
    """
    if len(data) > MAX_BYTES:
        raise Refused("This file is larger than 1 MiB: is it a grading worksheet?")
    try:
        header, read = _read(text_of(data))
    except csv.Error as error:
        raise Refused(f"This cannot be read as CSV: {error}.") from error
    if missing := sorted(_NEEDED.difference(header)):
        raise Refused(
            f"This is not a Moodle grading worksheet: it has no column {', '.join(missing)}."
            " Download it under the assignment's grading actions."
        )
    cells = {student.user.email.lower(): row.results[0] for student, row in rows}
    lines, n_filled = [], 0
    for line in read:
        cell = cells.get(line["Email address"].strip().lower())
        if cell is not None and cell.value is not None:
            line["Grade"] = f"{cell.value:.2f}"
            comments = "\n".join(row.comment for row in cell.points.manual if row.comment)
            if comments and _FEEDBACK in header:
                line[_FEEDBACK] = comments
            n_filled += 1
        lines.append([line[name] for name in header])
    return to_csv(None, [header, *lines]), n_filled


def _read(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return header and lines. Raises csv.Error."""
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
    return list(reader.fieldnames or ()), list(reader)
