"""Points that a platform may know: the one place that asks the gradebook for them."""

from decimal import Decimal

from webapp.courses.models import Assignment
from webapp.gradebook.points import all_points

__all__ = ["final_points", "maximum_of"]


def final_points(assignment: Assignment) -> dict[int, Decimal]:
    """Return the points of students by the key of their account, once students may see them."""
    return {
        user: points.total
        for (_, user), points in all_points([assignment]).items()
        if points.total is not None and not points.is_held
    }


def maximum_of(assignment: Assignment) -> Decimal:
    """Return the points of a full score, without bonus: platforms take more than that, too."""
    scheme = assignment.scheme
    beaten = sum((line.points for line in scheme.beaten), Decimal(0))
    full = scheme.full_points if scheme.full_mean is not None else Decimal(0)
    return full + beaten or Decimal(100)
