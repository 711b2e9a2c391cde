"""Queries about courses and teams."""

from django.db.models import Count

from webapp.teaching.courses.models import Assignment, Course, Team
from webapp.teaching.courses.permissions import Person


def team_of(user: Person, assignment: Assignment) -> Team | None:
    """The user's team with its members, if they have one. Two queries."""
    if not user.is_authenticated:
        return None
    return (
        Team.objects.filter(assignment=assignment, memberships__user=user)
        .select_related("assignment__course")
        .prefetch_related("users")
        .first()
    )


def shared_numbers(course: Course) -> list[str]:
    """Student numbers that several people of a course gave. One query."""
    given = course.enrolments.active().exclude(student_number="").values("student_number")
    shared = given.annotate(people=Count("pk")).filter(people__gt=1).order_by("student_number")
    return list(shared.values_list("student_number", flat=True))
