"""A student's own total of a course, computed only from grades that they may see.

Held points are never read into a value here: a result that is not released yet is the same whatever
it is worth, so that neither the total nor what is left out of it tells anything of it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.utils import timezone

from webapp.accounts.models import User
from webapp.courses.deadlines import Deadline, Resolution
from webapp.courses.models import Assignment, Course
from webapp.courses.releases import held_by_assignment
from webapp.courses.resolution import resolution_for, resolve_for
from webapp.gradebook.course import out_of
from webapp.gradebook.points import Points, all_points
from webapp.gradebook.totals import Result, total_of
from webapp.submissions.selectors import untested_since

__all__ = ["OwnResult", "OwnTotal", "Part", "is_missing", "own_total"]


class Part(StrEnum):
    """The part of a result in the total."""

    COUNTS = "counts"
    """By its weight."""
    DROPPED = "dropped"
    """One of those that lower the total most, which the course leaves out."""
    UNWEIGHTED = "unweighted"
    """No part: of weight 0, or without full credit to compare with."""
    HELD = "held"
    """Not released to the student."""
    PENDING = "pending"
    """There are no points yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResult:
    """The student's result of one assignment."""

    assignment: Assignment
    deadline: Deadline
    points: Points | None
    """``None`` while they are held, and where there are none."""
    result: Result
    is_missing: bool
    """True if no upload was early enough, which is worth 0."""
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTotal:
    """The student's results by due date, and their total so far."""

    results: tuple[OwnResult, ...]
    percent: Decimal | None
    drops: int
    """The number of lowest results that the course leaves out."""

    def of_part(self, part: Part) -> list[OwnResult]:
        """Return the results with this part in the total."""
        return [row for row in self.results if row.part is part]

    @property
    def weight(self) -> Decimal:
        """The weights of what counts, together."""
        return sum((row.assignment.weight for row in self.of_part(Part.COUNTS)), Decimal(0))


def own_total(user: User, course: Course, *, at: datetime | None = None) -> OwnTotal:
    """Return the user's total of the course, as the user may see it.

    Twenty queries at most.
    """
    now = at or timezone.now()
    visible = Assignment.objects.visible_to(user, at=now).filter(course=course)
    assignments = list(visible.select_related("course").order_by("due_at", "pk"))
    points = {of: row for (of, _), row in all_points(assignments, [user.pk]).items()}
    settled = resolve_for(user, assignments)
    hidden = _hidden(user, assignments, points)
    untested = untested_since(assignments, [user.pk])
    rows = [
        _own_result(
            assignment,
            None if assignment.pk in hidden else points.get(assignment.pk),
            settled[assignment.pk].of(user.pk),
            untested.get((assignment.pk, user.pk)),
            now,
            is_held=assignment.pk in hidden,
        )
        for assignment in assignments
    ]
    return _total(rows, course.drops_lowest)


def is_missing(
    user: User, assignment: Assignment, points: Points | None, *, at: datetime | None = None
) -> bool:
    """Return whether the assignment is worth 0 to a student: no upload was early enough.

    ``points``: the student's, which are not held. Nine queries at most.
    """
    if points is not None and points.total is not None:
        return False
    untested = untested_since([assignment], [user.pk]).get((assignment.pk, user.pk))
    return resolution_for(user, assignment).is_missed_at(at or timezone.now(), untested)


def _hidden(
    user: User, assignments: Collection[Assignment], points: dict[int, Points]
) -> frozenset[int]:
    """Return the assignments of which the user sees no points; also where there are none."""
    without = [assignment for assignment in assignments if assignment.pk not in points]
    held = held_by_assignment(without, [user.pk])
    return frozenset(
        {pk for pk, row in points.items() if row.is_held} | {pk for pk, of in held.items() if of}
    )


def _own_result(
    assignment: Assignment,
    points: Points | None,
    settled: Resolution,
    untested_at: datetime | None,
    now: datetime,
    *,
    is_held: bool,
) -> OwnResult:
    value = None if points is None else points.total
    is_missing = value is None and settled.is_missed_at(now, untested_at) and not is_held
    result = Result(
        points=Decimal(0) if is_missing else value,
        out_of=out_of(assignment),
        weight=assignment.weight,
    )
    return OwnResult(
        assignment=assignment,
        deadline=settled.deadline,
        points=points if points is not None and points.exists else None,
        result=result,
        is_missing=is_missing,
        part=Part.HELD if is_held else _part(result),
    )


def _part(result: Result) -> Part:
    if result.points is None:
        return Part.PENDING
    return Part.COUNTS if result.counts else Part.UNWEIGHTED


def _total(rows: list[OwnResult], drops: int) -> OwnTotal:
    total = total_of([row.result for row in rows], drops)
    marked = tuple(
        replace(row, part=Part.DROPPED) if position in total.dropped else row
        for position, row in enumerate(rows)
    )
    return OwnTotal(results=marked, percent=total.percent, drops=drops)
