"""Permissions in a course. Operators of the site count as instructors everywhere."""

from django.contrib.auth.models import AnonymousUser

from webapp.accounts.models import User
from webapp.courses.models import Course, Enrolment, Role, Team
from webapp.courses.models.course import STAFF_ROLES
from webapp.errors import NotAllowed

Person = User | AnonymousUser
"""Whoever asks; Vic the visitor is an AnonymousUser."""


def role_in(user: Person, course: Course) -> Role | None:
    """The user's role in the course; ``None`` for everybody else and who has left. One query."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.INSTRUCTOR
    places = Enrolment.objects.active().filter(course=course, user=user)
    role = places.values_list("role", flat=True).first()
    return None if role is None else Role(role)


def is_member_of(user: Person, course: Course) -> bool:
    """Return whether the user is enrolled, in whatever role."""
    return role_in(user, course) is not None


def is_staff_of(user: Person, course: Course) -> bool:
    """Return whether the user is an assistant or instructor."""
    return role_in(user, course) in STAFF_ROLES


def is_own_team(user: Person, team: Team) -> bool:
    """Return whether the user is in the team, and still in its course."""
    if user.pk is None or not team.memberships.filter(user_id=user.pk).exists():
        return False
    return is_member_of(user, team.assignment.course)


def is_instructor_of(user: Person, course: Course) -> bool:
    """Return whether the user is an instructor."""
    return role_in(user, course) == Role.INSTRUCTOR


def require_course_maker(user: User) -> None:
    """Raises NotAllowed unless the user may create courses."""
    if not (user.may_create_courses or user.is_superuser):
        raise NotAllowed("Only instructors may create courses; ask this site's operator.")


def require_member(user: Person, course: Course) -> None:
    """Raises NotAllowed unless the user is enrolled."""
    if not is_member_of(user, course):
        raise NotAllowed("Only people enrolled in this course may do that.")


def require_staff(user: Person, course: Course) -> None:
    """Raises NotAllowed unless the user is on the course's staff."""
    if not is_staff_of(user, course):
        raise NotAllowed("Only this course's staff may do that.")


def require_instructor(user: Person, course: Course) -> None:
    """Raises NotAllowed unless the user is an instructor of the course."""
    if not is_instructor_of(user, course):
        raise NotAllowed("Only an instructor of this course may do that.")
