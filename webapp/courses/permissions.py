"""Permissions in a course. Operators of the site count as instructors everywhere.

Reading needs a role (``require_staff``), acting a right (``require_right``). In an archived course
every act raises Refused, for everybody.
"""

from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from webapp.accounts.models import User
from webapp.courses.models import Course, Enrolment, Role, Team
from webapp.courses.models.course import STAFF_ROLES
from webapp.courses.rights import ALL_RIGHTS, Right, known_rights
from webapp.errors import NotAllowed, Refused

Person = User | AnonymousUser
"""The person who asks; a visitor is an AnonymousUser."""


def role_in(user: Person, course: Course) -> Role | None:
    """Return the user's role in the course; ``None`` for others and for people who have left. One
    query."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.INSTRUCTOR
    places = Enrolment.objects.active().filter(course=course, user=user)
    role = places.values_list("role", flat=True).first()
    return None if role is None else Role(role)


def is_staff_anywhere(user: User) -> bool:
    """Return whether the user is an operator, may create courses, or is staff of one."""
    if user.is_superuser or user.is_staff or user.may_create_courses:
        return True
    return Enrolment.objects.active().filter(user=user, role__in=STAFF_ROLES).exists()


def is_member_of(user: Person, course: Course) -> bool:
    """Return whether the user is enrolled, in any role."""
    return role_in(user, course) is not None


def is_staff_of(user: Person, course: Course) -> bool:
    """Return whether the user is an assistant or instructor."""
    return role_in(user, course) in STAFF_ROLES


def rights_in(user: Person, course: Course) -> frozenset[Right]:
    """Return the user's rights over others in the course. One query."""
    return rights_of(role_in(user, course), course)


def names_of(rights: Collection[Right]) -> dict[str, bool]:
    """Return rights by name, for templates: ``can.grade``."""
    return {right.name_kept: True for right in rights}


def rights_of(role: Role | None, course: Course) -> frozenset[Right]:
    """Return the rights that a role has in the course."""
    if role == Role.INSTRUCTOR:
        return ALL_RIGHTS
    if role == Role.ASSISTANT:
        return known_rights(course.assistant_rights)
    if role == Role.GRADER:
        return frozenset({Right.GRADE})
    return frozenset({Right.ROSTER} if role == Role.OBSERVER else ())


def may_act_for(user: Person, course: Course, people: Collection[int]) -> bool:
    """Return whether the course lets this member of staff act for one of these people."""
    own = _own_students(user, course)
    return own is None or own.filter(user__in=people).exists()


def _own_students(user: Person, course: Course) -> QuerySet[Enrolment] | None:
    """Return the places for which this member of staff may act; ``None``: for all.

    A course can restrict staff with sections to the students of these sections.
    """
    if not course.staff_keep_to_sections or user.pk is None:
        return None
    enrolment = Enrolment.objects.active().filter(course=course, user_id=user.pk).first()
    if enrolment is None or enrolment.role not in (Role.ASSISTANT, Role.GRADER):
        return None
    sections = list(enrolment.looks_after.values_list("pk", flat=True))
    return course.enrolments.in_sections(sections) if sections else None


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
        raise NotAllowed(
            "Only instructors may create courses. Ask this site's operator to make you one."
        )


def require_unarchived(course: Course) -> None:
    """Raise Refused if the course is archived: nothing in it changes."""
    if course.archived_at is not None:
        raise Refused(
            "This course is archived, so it is read-only. An instructor can unarchive it under"
            " “Copy, archive, delete”."
        )


def require_member(user: Person, course: Course) -> None:
    """Raise NotAllowed unless the user is enrolled, Refused in an archived course."""
    if not is_member_of(user, course):
        raise NotAllowed("Only people enrolled in this course may do that.")
    require_unarchived(course)


def require_staff(user: Person, course: Course) -> None:
    """Raises NotAllowed unless the user is on the course's staff."""
    if not is_staff_of(user, course):
        raise NotAllowed("Only this course's staff may do that.")


def require_right(
    user: Person, course: Course, right: Right, *, people: Collection[int] = ()
) -> None:
    """Raise NotAllowed unless the user has the right, for one of these people or for everybody.

    Staff of sections read the list of people of all. Raises Refused in an archived course, unless
    the right only reads (``ROSTER``, ``INTEGRITY``).
    """
    _require_right(user, course, right)
    if right is not Right.ROSTER and not may_act_for(user, course, people):
        raise NotAllowed(_ELSEWHERE)


def require_right_over_each(
    user: Person, course: Course, right: Right, groups: Iterable[Collection[int]]
) -> None:
    """Raise what ``require_right`` does unless the user has the right for one person of each group.

    Six queries at most, for any number of groups.
    """
    _require_right(user, course, right)
    own = _own_students(user, course)
    if own is None:
        return
    reached = set(own.values_list("user", flat=True))
    if any(reached.isdisjoint(people) for people in groups):
        raise NotAllowed(_ELSEWHERE)


def _require_right(user: Person, course: Course, right: Right) -> None:
    require_staff(user, course)
    if right not in rights_in(user, course):
        raise NotAllowed(f"Your role in this course does not let you {right.label}.")
    if right not in (Right.ROSTER, Right.INTEGRITY):
        require_unarchived(course)


_ELSEWHERE: Final = "You are assigned to other sections. Ask this section's staff or an instructor."


def require_right_for(user: Person, team: Team, right: Right) -> None:
    """Raise NotAllowed unless the user has the right for one of the team's members."""
    people = list(team.memberships.values_list("user", flat=True))
    require_right(user, team.assignment.course, right, people=people)


def require_participant(user: Person, course: Course) -> None:
    """Raise NotAllowed unless the user is enrolled, and not as an observer."""
    require_member(user, course)
    if role_in(user, course) == Role.OBSERVER:
        raise NotAllowed("Observers may only read.")


def require_instructor(user: Person, course: Course, *, to_look: bool = False) -> None:
    """Raise NotAllowed unless the user is an instructor, Refused in an archived course.

    ``to_look``: nothing is changed, so that an archived course is no obstacle.
    """
    if not is_instructor_of(user, course):
        raise NotAllowed("Only an instructor of this course may do that.")
    if not to_look:
        require_unarchived(course)
