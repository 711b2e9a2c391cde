"""The gradebook of an assignment for a spreadsheet."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from webapp.base.spreadsheets import Cell, to_csv
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.selectors import modes_of
from webapp.grading.gradebook.points import Points
from webapp.grading.gradebook.students import students_like
from webapp.grading.gradebook.work import TeamWork, Work
from webapp.teaching.courses.models import Assignment

_OF_STUDENT: Final = (
    *("user_id", "section_id", "student_number", "state", "section__name"),
    *("user__display_name", "user__email"),
)
_HEADER: Final = (
    "Name",
    "E-mail",
    "Student number",
    "Section",
    "Team",
    "Submission",
    "Uploaded at",
    "Games",
    "Mean",
    "Won",
    "Standard error",
    "Lost",
    "Faults",
    "Points",
    "Status",
    "Interface",
    "Mode",
    "Evaluation",
    "Due at",
    "Late (hours)",
    "Late days used",
    "Penalty (%)",
    "Points before penalty",
    "Points from games",
    "Points by hand",
    "Comment",
    "Released",
)


def gradebook_csv(assignment: Assignment) -> str:
    """Return all students of the course with their team's work. For staff only."""
    graded = Evaluation.objects.filter(assignment=assignment, grades__is_current=True)
    modes = {key: mode.value for key, mode in modes_of(graded).items()}
    work = Work([assignment])
    students = students_like(assignment.course).only(*_OF_STUDENT)
    return to_csv(
        _HEADER,
        (
            (
                student.user.display_name,
                student.user.email,
                student.student_number,
                student.section_words,
                *_cells(work.of(assignment, student.user_id), modes),
            )
            for student in students
        ),
    )


def _cells(row: TeamWork, modes: Mapping[int, str]) -> Iterable[Cell]:
    grade, played = row.grade, row.evaluation
    graded = None if played is None else played.submission
    return (
        row.team.name if row.team else "",
        graded.number if graded else None,
        graded.uploaded_at if graded else None,
        played.n_games if played else None,
        grade.mean if grade else None,
        played.won if played else None,
        played.standard_error if played else None,
        played.lost if played else None,
        played.faults if played else None,
        row.points.total,
        row.status.value,
        played.interface if played else "",
        modes[played.pk] if played else "",
        str(played.uuid) if played else "",
        row.due_at,
        *_lateness_cells(row),
        *_hand_cells(row.points),
    )


def _hand_cells(points: Points) -> tuple[Cell, ...]:
    given = [row.points for row in points.manual if row.points is not None]
    return (
        points.grade.points if points.grade else None,
        sum(given) if given else None,
        points.comments,
        "no" if points.is_held else "yes",
    )


def _lateness_cells(row: TeamWork) -> tuple[Cell, ...]:
    graded = None if row.evaluation is None else row.evaluation.submission
    submission = graded or row.counted
    if submission is None:
        return (None, None, None, None)
    lateness = row.resolution.lateness_of_graded(submission.uploaded_at)
    return (
        round(lateness.late_by / timedelta(hours=1), 2),
        lateness.late_days,
        lateness.penalty_percent,
        row.grade.full_points if row.grade else None,
    )
