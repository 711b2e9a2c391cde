"""Points that a platform may know: the one place that asks the gradebook for them."""

from collections.abc import Collection
from decimal import Decimal

from webapp.courses.models import Assignment, Enrolment
from webapp.courses.releases import held_students
from webapp.gradebook.points import all_points

__all__ = ["maximum_of", "seen_points"]


def seen_points(
    assignment: Assignment, users: Collection[int] | None = None
) -> dict[int, Decimal | None]:
    """Return the points that students see, by the key of their account; ``None``: none yet.

    Of these students, or of all. Those from whom points are hidden are left out.
    """
    points = all_points([assignment], users)
    totals = {user: row.total for (_, user), row in points.items()}
    students = Enrolment.objects.graded().filter(course=assignment.course)
    if users is not None:
        students = students.filter(user__in=users)
    everybody = {*students.values_list("user_id", flat=True), *totals}
    return {user: totals.get(user) for user in everybody - held_students(assignment, users)}


def maximum_of(assignment: Assignment) -> Decimal:
    """Return the points of a full score, without bonus: platforms take more than that, too."""
    scheme = assignment.scheme
    beaten = sum((line.points for line in scheme.beaten), Decimal(0))
    full = scheme.full_points if scheme.full_mean is not None else Decimal(0)
    return full + beaten or Decimal(100)
