"""Files that another system made: its list of people, and Moodle's grading worksheet.

A system's import refuses a whole file for a student whom it does not know.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Final

from webapp.base.errors import Refused
from webapp.base.spreadsheets import to_csv
from webapp.grading.gradebook.course import CourseTotal
from webapp.grading.gradebook.exports import System
from webapp.teaching.courses.models import Enrolment
from webapp.teaching.courses.roster.formats import guess, recognise
from webapp.teaching.courses.roster.reading import MAX_BYTES, table_of, text_of

_NEEDED: Final = frozenset({"Identifier", "Email address", "Grade"})
_FEEDBACK: Final = "Feedback comments"


def listed_in(data: bytes, system: System, students: Sequence[Enrolment]) -> list[Enrolment]:
    """Return the students whom the import would find, by the system's own list. Raises Refused."""
    if len(data) > MAX_BYTES:
        raise Refused("This file is larger than 1 MiB: is it a list of people?")
    table = table_of(text_of(data))
    columns = guess(table, recognise(table))
    known: dict[str, set[str]] = {}
    for field in system.finds_by:
        if (header := columns.get(field)) is not None:
            place = table.header.index(header)
            values = {_bare(line.cells[place]) for line in table.lines}
            known[field] = values | {
                value.partition("@")[0] for value in values if field == "login"
            }
    if not known:
        raise Refused(
            f"{system.label} finds students by columns that this list does not have. Export the"
            " list of people, or the grades, of your course there."
        )
    return [student for student in students if _is_known(student, known)]


def _is_known(student: Enrolment, known: Mapping[str, set[str]]) -> bool:
    # By the first field that the student has a value for, as the systems do.
    email = student.user.email
    own = {"email": email, "login": email.partition("@")[0], "number": student.student_number}
    field = next((field for field in known if own[field]), None)
    return field is not None and _bare(own[field]) in known[field]


def _bare(value: str) -> str:
    return value.strip().removeprefix("#").lower()  # Brightspace marks its own with a sign


def filled(data: bytes, rows: Sequence[tuple[Enrolment, CourseTotal]]) -> tuple[str, int]:
    """Return the worksheet with grades and comments, and how many lines got a grade.

    Lines of people without points stay as they are. Raises Refused.
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
            if cell.points.comments and _FEEDBACK in header:
                line[_FEEDBACK] = cell.points.comments
            n_filled += 1
        lines.append([line[name] for name in header])
    return to_csv(None, [header, *lines]), n_filled


def _read(text: str) -> tuple[list[str], list[dict[str, str]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
    return list(reader.fieldnames or ()), list(reader)
