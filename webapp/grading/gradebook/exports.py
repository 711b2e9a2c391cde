"""Points in the columns of other systems, so that their own import takes them.

Each system finds students by columns of its own: Canvas by ``SIS User ID`` or ``SIS Login ID``,
Moodle by ``Email address`` or ``ID number``, Blackboard and Brightspace by ``Username``, Gradescope
by ``Email`` or ``SID``. User names are the part of an address before the @. Identifiers that only
the other system knows are left empty.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final

from webapp.base.spreadsheets import Cell, to_csv
from webapp.grading.gradebook.course import CourseResult, CourseTotal, out_of
from webapp.teaching.courses.models import Assignment, Enrolment
from webapp.teaching.courses.roster.names import first_and_last

Rows = Sequence[tuple[Enrolment, CourseTotal]]
Columns = Sequence[Assignment]


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    label: str
    table: Callable[[Columns, Rows], list[list[Cell]]]
    """The header, then a row for each student."""
    finds_by: tuple[str, ...]
    """Fields by which its import finds students, the first that is known."""
    delimiter: str = ","
    takes_course: bool = True


def exported(system: System, assignments: Columns, rows: Rows) -> str:
    """Return the file: formulas are neutralised in every cell, titles included."""
    return to_csv(None, system.table(assignments, rows), delimiter=system.delimiter)


def _login(enrolment: Enrolment) -> str:
    return enrolment.user.email.partition("@")[0]


def _values(row: CourseTotal) -> list[Cell]:
    return [cell.value for cell in row.results]


# --- Canvas --------------------------------------------------------------------------------------


def _canvas(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    people = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    return [
        [*people, *(assignment.title for assignment in assignments)],
        ["    Points Possible", "", "", "", "", *map(out_of, assignments)],
        *(_canvas_row(enrolment, row) for enrolment, row in rows),
    ]


def _canvas_row(enrolment: Enrolment, row: CourseTotal) -> list[Cell]:
    first, last = first_and_last(enrolment.user.display_name)
    name = f"{last}, {first}" if first else last
    return [
        name,
        "",
        enrolment.student_number,
        _login(enrolment),
        " and ".join(section.name for section in enrolment.sections),
        *_values(row),
    ]


# --- Moodle --------------------------------------------------------------------------------------


def _moodle(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    people = ["First name", "Last name", "ID number", "Institution", "Department", "Email address"]
    columns = [
        name
        for assignment in assignments
        for name in (f"Assignment: {assignment.title}", f"Feedback: {assignment.title}")
    ]
    lines: list[list[Cell]] = [
        [
            *first_and_last(enrolment.user.display_name),
            enrolment.student_number,
            "",
            "",
            enrolment.user.email,
            *(value for cell in row.results for value in (cell.value, cell.points.comments)),
        ]
        for enrolment, row in rows
    ]
    return [[*people, *columns], *lines]


_WORKSHEET: Final = [
    *("Identifier", "Full name", "Email address", "Status", "Group", "Grade", "Maximum Grade"),
    *("Grade can be changed", "Last modified (submission)", "Last modified (grade)"),
    "Feedback comments",
]


def _worksheet(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    lines = [
        _worksheet_row(assignment, enrolment, cell)
        for enrolment, row in rows
        for assignment, cell in zip(assignments, row.results, strict=True)
    ]
    return [[*_WORKSHEET], *lines]


def _worksheet_row(assignment: Assignment, enrolment: Enrolment, cell: CourseResult) -> list[Cell]:
    counted, grade = cell.resolution.counted, cell.points.grade
    return [
        "",
        enrolment.user.display_name,
        enrolment.user.email,
        "No submission" if counted is None else "Submitted for grading",
        enrolment.section_words,
        cell.value,
        out_of(assignment),
        "Yes",
        None if counted is None else counted.uploaded_at,
        None if grade is None else grade.graded_at,
        cell.points.comments,
    ]


# --- Blackboard, Brightspace ---------------------------------------------------------------------


def _blackboard(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    people = ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"]
    columns = [
        f"{assignment.title} [Total Pts: {_plain(out_of(assignment))} Score]"
        for assignment in assignments
    ]
    made: list[list[Cell]] = [[*people, *columns]]
    for enrolment, row in rows:
        first, last = first_and_last(enrolment.user.display_name)
        person: list[Cell] = [last, first, _login(enrolment), enrolment.student_number, "", "Yes"]
        made.append([*person, *_values(row)])
    return made


def _brightspace(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    grades = [f"{assignment.title} Points Grade" for assignment in assignments]
    lines: list[list[Cell]] = [
        [
            f"#{enrolment.student_number}" if enrolment.student_number else "",
            f"#{_login(enrolment)}",
            *_values(row),
            "#",
        ]
        for enrolment, row in rows
    ]
    return [["OrgDefinedId", "Username", *grades, "End-of-Line Indicator"], *lines]


# --- Gradescope ----------------------------------------------------------------------------------


_GRADESCOPE_ONE: Final = (
    *("Total Score", "Max Points", "Status", "Submission ID", "Submission Time"),
    *("Lateness (H:M:S)", "View Count", "Submission Count"),
)


def _gradescope(assignments: Columns, rows: Rows) -> list[list[Cell]]:
    people = ["First Name", "Last Name", "SID", "Email", "Sections"]
    names = ("", " - Max Points", " - Submission Time", " - Lateness (H:M:S)")
    columns = [f"{assignment.title}{name}" for assignment in assignments for name in names]
    lines: list[list[Cell]] = [
        [
            *first_and_last(enrolment.user.display_name),
            enrolment.student_number,
            enrolment.user.email,
            enrolment.section_words,
            *(
                _gradescope_one(row.results[0])
                if len(assignments) == 1
                else [value for cell in row.results for value in _gradescope_cells(cell)]
            ),
        ]
        for enrolment, row in rows
    ]
    return [[*people, *(_GRADESCOPE_ONE if len(assignments) == 1 else columns)], *lines]


def _gradescope_one(cell: CourseResult) -> list[Cell]:
    counted = cell.resolution.counted
    score, full, at, late = _gradescope_cells(cell)
    status = "Missing" if counted is None else "Graded" if cell.points.grade else "Ungraded"
    number = None if counted is None else counted.pk
    return [score, full, status, number, at, late, None, None]


def _gradescope_cells(cell: CourseResult) -> list[Cell]:
    counted, lateness = cell.resolution.counted, cell.resolution.lateness
    late_by = timedelta(0) if lateness is None else lateness.late_by
    return [
        cell.value,
        out_of(cell.assignment),
        None if counted is None else counted.uploaded_at,
        None if counted is None else _hms(late_by),
    ]


def _hms(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


SYSTEMS: Final[Mapping[str, System]] = {
    "canvas": System(
        label="Canvas",
        table=_canvas,
        finds_by=("number", "login"),
    ),
    "moodle": System(
        label="Moodle, gradebook",
        table=_moodle,
        finds_by=("email", "number"),
    ),
    "moodle-worksheet": System(
        label="Moodle, grading worksheet",
        table=_worksheet,
        finds_by=("email",),
        takes_course=False,
    ),
    "blackboard": System(
        label="Blackboard",
        table=_blackboard,
        finds_by=("login",),
        delimiter="\t",
    ),
    "brightspace": System(
        label="Brightspace",
        table=_brightspace,
        finds_by=("login", "number"),
    ),
    "gradescope": System(
        label="Gradescope",
        table=_gradescope,
        finds_by=("email", "number"),
    ),
}
"""Systems by their names in addresses."""
