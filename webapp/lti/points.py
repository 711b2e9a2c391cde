"""Points that a platform may know: the one place that asks the gradebook for them."""

from decimal import Decimal

from webapp.courses.models import Assignment
from webapp.gradebook.selectors import GradeStatus, gradebook

__all__ = ["final_points", "maximum_of"]


def final_points(assignment: Assignment) -> dict[int, Decimal]:
    """Return the points of each student by the key of their account.

    A grade that rests on another upload than the one that counts is not final.
    """
    return {
        row.user.pk: row.grade.points
        for row in gradebook(assignment)
        if row.grade is not None and row.status == GradeStatus.GRADED
    }


def maximum_of(assignment: Assignment) -> Decimal:
    """Return the points of a full score, without bonus: platforms take more than that, too."""
    scheme = assignment.scheme
    beaten = sum((line.points for line in scheme.beaten), Decimal(0))
    full = scheme.full_points if scheme.full_mean is not None else Decimal(0)
    return full + beaten or Decimal(100)
