"""The gradebook of a whole course: one row a student, one column an assignment, a total."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.db.models import Q, QuerySet
from django.utils import timezone

from webapp.courses.deadlines import Resolution
from webapp.courses.models import Assignment, Course, Enrolment, in_one_of
from webapp.courses.resolution import resolve_assignments, resolve_many
from webapp.gradebook.points import Points, all_points
from webapp.gradebook.totals import Result, Total, total_of
from webapp.submissions.selectors import untested_since

__all__ = ["CourseCell", "CourseRow", "assignments_of", "course_rows", "out_of", "students_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseCell:
    """One student's result of one assignment."""

    assignment: Assignment
    points: Points
    value: Decimal | None
    """The points; 0 if no upload was early enough; ``None`` if there are none yet."""
    is_missing: bool
    """True if no upload was early enough to count."""
    is_dropped: bool
    settled: Resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRow:
    """One student."""

    enrolment: Enrolment
    cells: tuple[CourseCell, ...]
    total: Decimal | None
    """In percent."""


def assignments_of(course: Course) -> list[Assignment]:
    """Return the columns, by due date. One query."""
    return list(course.assignments.select_related("course").order_by("due_at", "pk"))


def out_of(assignment: Assignment) -> Decimal:
    """Return the points for full credit; if only opponents give points, the sum of theirs."""
    scheme = assignment.scheme
    beaten = sum((line.points for line in scheme.beaten), Decimal(0))
    return beaten if scheme.full_mean is None else scheme.full_points + beaten


def students_of(course: Course, words: str = "") -> QuerySet[Enrolment]:
    """Return the course's students by name, filtered by words in name, address or number."""
    students = Enrolment.objects.graded().filter(course=course).with_sections()
    if words:
        students = students.filter(
            Q(user__display_name__icontains=words)
            | Q(user__email__icontains=words)
            | Q(student_number__icontains=words)
            | in_one_of(section__name__icontains=words)
        )
    return students.order_by("user__display_name", "pk")


def course_rows(
    course: Course,
    assignments: Sequence[Assignment],
    students: Sequence[Enrolment] | None = None,
    *,
    at: datetime | None = None,
) -> list[CourseRow]:
    """Return the results of these students, or of all. For staff only.

    A fixed number of queries.
    """
    now = at or timezone.now()
    users = None if students is None else [student.user_id for student in students]
    points = all_points(assignments, users, with_runs=False)
    settled = (
        resolve_assignments(assignments) if users is None else resolve_many(assignments, users)
    )
    untested = untested_since(assignments, users)
    worth = [out_of(assignment) for assignment in assignments]
    rows = []
    for student in students_of(course) if students is None else students:
        cells = [
            _cell(
                assignment,
                points.get((assignment.pk, student.user_id), Points(grade=None)),
                settled[assignment.pk].of(student.user_id),
                untested.get((assignment.pk, student.user_id)),
                now,
            )
            for assignment in assignments
        ]
        total = _total(cells, worth, course.drops_lowest)
        rows.append(_row(student, cells, total))
    return rows


def _cell(
    assignment: Assignment,
    points: Points,
    settled: Resolution,
    untested_at: datetime | None,
    now: datetime,
) -> CourseCell:
    is_missing = points.total is None and settled.is_missed_at(now, untested_at)
    return CourseCell(
        assignment=assignment,
        points=points,
        value=Decimal(0) if is_missing else points.total,
        is_missing=is_missing,
        is_dropped=False,
        settled=settled,
    )


def _total(cells: Sequence[CourseCell], worth: Sequence[Decimal], drops: int) -> Total:
    results = [
        Result(points=cell.value, out_of=full, weight=cell.assignment.weight)
        for cell, full in zip(cells, worth, strict=True)
    ]
    return total_of(results, drops)


def _row(student: Enrolment, cells: Sequence[CourseCell], total: Total) -> CourseRow:
    marked = tuple(
        replace(cell, is_dropped=True) if position in total.dropped else cell
        for position, cell in enumerate(cells)
    )
    return CourseRow(enrolment=student, cells=marked, total=total.percent)
