"""Points that a platform may know: the one place that asks the gradebook for them."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from webapp.flow.lti.models import LinkedAssignment
from webapp.grading.gradebook.course import out_of
from webapp.grading.gradebook.points import all_points
from webapp.grading.submissions.selectors import untested_since
from webapp.teaching.courses.models import Assignment, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.releases import held_students
from webapp.teaching.courses.resolution import resolve_assignment, resolve_users


@dataclass(frozen=True, slots=True)
class Seen:
    points: Decimal | None = None
    comment: str = ""


def seen_points(
    link: LinkedAssignment, users: Collection[int] | None = None, *, at: datetime
) -> dict[int, Seen]:
    """Return what students see, by the key of their account; of these students, or of all.

    Those from whom points are hidden are left out. Where the link sends zeros, a student without
    points whose time is over, and of whom nothing counts, has zero.
    """
    assignment = link.assignment
    seen = {
        user: Seen(points.total, points.comments)
        for (_, user), points in all_points([assignment], users).items()
    }
    students = Enrolment.objects.graded().filter(course=assignment.course)
    if users is not None:
        students = students.filter(user__in=users)
    everybody = {*students.values_list("user_id", flat=True), *seen}
    shown = {user: seen.get(user, Seen()) for user in everybody - held_students(assignment, users)}
    without = {user for user, row in shown.items() if row.points is None}
    if link.sends_zeros and without:
        for user in without & _missing(assignment, users, at):
            shown[user] = replace(shown[user], points=Decimal(0))
    return shown


def _missing(assignment: Assignment, users: Collection[int] | None, at: datetime) -> set[int]:
    resolutions = (
        resolve_assignment(assignment) if users is None else resolve_users(assignment, users)
    )
    untested = untested_since([assignment])
    late = {
        user
        for user, row in resolutions.students.items()
        if row.counted is None and row.deadline.ends_at < at
    }
    places = assignment.course.enrolments.filter(role=Role.STUDENT, state=EnrolmentState.ACTIVE)
    enrolled = set(places.filter(user__in=late).values_list("user_id", flat=True))
    return {user for user in enrolled if (assignment.pk, user) not in untested}


def full_points(assignment: Assignment) -> Decimal:
    """Return the points of a full score, without bonus."""
    return out_of(assignment) or Decimal(100)


def maximum_of(link: LinkedAssignment) -> Decimal:
    """Return the maximum that points are sent with: a platform scales them to its column's."""
    return max(full_points(link.assignment), link.column_maximum or Decimal(0))
