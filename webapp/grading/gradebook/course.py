"""Results of a course's assignments and their total: of all students for staff, or one's own.

Held points are never read into a student's own value: neither the total nor what is left out of it
tells anything of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction
from operator import mul
from typing import Final

from django.utils import timezone

from webapp.grading.gradebook.points import Points
from webapp.grading.gradebook.students import students_like
from webapp.grading.gradebook.work import TeamWork, Work
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import Resolution
from webapp.teaching.courses.models import Assignment, Course, Enrolment

_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    points: Decimal | None
    """``None``: nothing yet, so it does not count yet."""
    out_of: Decimal
    """Full credit; more is possible where there is a bonus."""
    weight: Decimal

    @property
    def percent(self) -> Decimal | None:
        """The share of full credit; ``None`` where nothing can be said."""
        if self.points is None or not self.out_of:
            return None
        return 100 * self.points / self.out_of

    @property
    def counts(self) -> bool:
        return self.percent is not None and self.weight > 0


@dataclass(frozen=True, slots=True)
class Total:
    """The total in percent, and the positions of the results that were left out."""

    percent: Decimal | None
    dropped: frozenset[int]


def total_of(results: Sequence[Result], drops: int) -> Total:
    """Return the weighted mean of the percentages, without the ``drops`` that lower it most.

    One result at least stays; of equal choices the lowest percentage is left out, then the greatest
    weight. Rounded to hundredths, halves up.
    """
    counted = [position for position, result in enumerate(results) if result.counts]
    if not counted:
        return Total(None, frozenset())
    n_dropped = max(0, min(drops, len(counted) - 1))
    dropped, mean = frozenset[int](), _mean(results, counted)
    while n_dropped:
        # Dinkelbach: without the results that most lower a sum over the mean, the mean only rises,
        # and once it stays, no other choice has a higher one.
        lowering = sorted(counted, key=lambda at: _lowering(results[at], at, mean))
        dropped = frozenset(lowering[:n_dropped])
        risen = _mean(results, [at for at in counted if at not in dropped])
        if risen == mean:
            break
        mean = risen
    percent = Decimal(mean.numerator) / mean.denominator
    return Total(percent.quantize(_CENT, ROUND_HALF_UP), dropped)


def _mean(results: Sequence[Result], positions: Collection[int]) -> Fraction:
    chosen = [results[at] for at in positions]
    weights = [Fraction(result.weight) for result in chosen]
    percents = [Fraction(_percent(result)) for result in chosen]
    return sum(map(mul, weights, percents), Fraction(0)) / sum(weights, Fraction(0))


def _lowering(result: Result, at: int, mean: Fraction) -> tuple[Fraction, Decimal, Decimal, int]:
    """Return a key that is smaller for results that lower a mean more."""
    percent = _percent(result)
    return Fraction(result.weight) * (Fraction(percent) - mean), percent, -result.weight, at


def _percent(result: Result) -> Decimal:
    return result.percent or Decimal(0)


class GradePart(StrEnum):
    """The part of a result in the total."""

    COUNTS = "counts"
    DROPPED = "dropped"
    UNWEIGHTED = "unweighted"
    """No part: of weight 0, or without full credit to compare with."""
    HELD = "held"
    PENDING = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseResult:
    assignment: Assignment
    resolution: Resolution
    points: Points
    """Empty for the student while they are held."""
    result: Result
    is_missing: bool
    """True if no upload was early enough, which is worth 0."""
    part: GradePart

    @property
    def value(self) -> Decimal | None:
        return self.result.points


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseTotal:
    """A student's results by due date, and their total so far in percent."""

    results: tuple[CourseResult, ...]
    percent: Decimal | None

    def of_part(self, part: GradePart) -> list[CourseResult]:
        """Return the results with this part in the total."""
        return [row for row in self.results if row.part is part]

    @property
    def weight(self) -> Decimal:
        """The weights of all that counts."""
        return sum((row.assignment.weight for row in self.of_part(GradePart.COUNTS)), Decimal(0))


def assignments_of(course: Course) -> list[Assignment]:
    """Return the columns, by due date. One query."""
    return list(course.assignments.select_related("course").order_by("due_at", "pk"))


def out_of(assignment: Assignment) -> Decimal:
    """Return the points for full credit; if only opponents give points, the sum of theirs."""
    scheme = assignment.scheme
    beaten = sum((line.points for line in scheme.beaten), Decimal(0))
    return beaten if scheme.full_mean is None else scheme.full_points + beaten


def course_rows(
    course: Course,
    assignments: Sequence[Assignment],
    students: Sequence[Enrolment] | None = None,
    *,
    at: datetime | None = None,
) -> list[tuple[Enrolment, CourseTotal]]:
    """Return these students' results, or all. For staff only. A fixed number of queries."""
    users = None if students is None else [student.user_id for student in students]
    work = Work(assignments, users=users, has_runs=False, at=at)
    worth = {assignment.pk: out_of(assignment) for assignment in assignments}
    people = students_like(course) if students is None else students
    return [
        (
            student,
            _total(
                [_result(work.of(each, student.user_id), worth) for each in assignments],
                course.drops_lowest,
            ),
        )
        for student in people
    ]


def own_total(user: User, course: Course, *, at: datetime | None = None) -> CourseTotal:
    """Return the user's total as the user may see it. Twenty queries at most."""
    now = at or timezone.now()
    visible = Assignment.objects.visible_to(user, at=now).filter(course=course)
    assignments = list(visible.select_related("course").order_by("due_at", "pk"))
    work = Work(assignments, users=[user.pk], has_runs=False, at=now)
    worth = {assignment.pk: out_of(assignment) for assignment in assignments}
    results = [_result(work.of(each, user.pk), worth, hides_held=True) for each in assignments]
    return _total(results, course.drops_lowest)


def _result(
    row: TeamWork, worth: Mapping[int, Decimal], *, hides_held: bool = False
) -> CourseResult:
    points = row.points
    is_hidden = hides_held and points.is_held
    if is_hidden:
        points = Points(grade=None, is_held=True)
    is_missing = points.total is None and not is_hidden and row.is_missing
    result = Result(
        points=Decimal(0) if is_missing else points.total,
        out_of=worth[row.assignment.pk],
        weight=row.assignment.weight,
    )
    return CourseResult(
        assignment=row.assignment,
        resolution=row.resolution,
        points=points,
        result=result,
        is_missing=is_missing,
        part=GradePart.HELD if is_hidden else _part(result),
    )


def _part(result: Result) -> GradePart:
    if result.points is None:
        return GradePart.PENDING
    return GradePart.COUNTS if result.counts else GradePart.UNWEIGHTED


def _total(results: Sequence[CourseResult], drops: int) -> CourseTotal:
    total = total_of([row.result for row in results], drops)
    marked = tuple(
        replace(row, part=GradePart.DROPPED) if position in total.dropped else row
        for position, row in enumerate(results)
    )
    return CourseTotal(results=marked, percent=total.percent)
