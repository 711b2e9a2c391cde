"""Permissions in a course. Operators of the site count as instructors everywhere.

Reading needs a role (``require_staff``), acting a right (``require_right``). In an archived course
every act raises Refused, for everybody.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Enrolment, Role, Team
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.rights import ALL_RIGHTS, Right, known_rights

Person = User | AnonymousUser
"""The person who asks; a visitor is an AnonymousUser."""
_ELSEWHERE: Final = "You are assigned to other sections. Ask this section's staff or an instructor."


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person in a course. Pages make one a request (``pages.http.viewer_of``)."""

    user: Person
    course: Course
    role: Role | None
    """``None`` for outsiders, and for people who have left."""

    @property
    def is_member(self) -> bool:
        return self.role is not None

    @property
    def is_staff(self) -> bool:
        return self.role in STAFF_ROLES

    @property
    def is_instructor(self) -> bool:
        return self.role == Role.INSTRUCTOR

    @property
    def is_observer(self) -> bool:
        return self.role == Role.OBSERVER

    @property
    def is_student(self) -> bool:
        return self.role == Role.STUDENT

    @property
    def rights(self) -> frozenset[Right]:
        """Rights over others in the course."""
        if self.role == Role.INSTRUCTOR:
            return ALL_RIGHTS
        if self.role == Role.ASSISTANT:
            return known_rights(self.course.assistant_rights)
        if self.role == Role.GRADER:
            return frozenset({Right.GRADE})
        return frozenset({Right.ROSTER} if self.role == Role.OBSERVER else ())

    @property
    def can(self) -> dict[str, bool]:
        """Rights by name, for templates: ``viewer.can.grade``."""
        return {right.name_kept: True for right in self.rights}

    def students_in_reach(self) -> QuerySet[Enrolment] | None:
        """Return the places for which this member of staff may act; ``None``: for all.

        A course can restrict staff with sections to the students of these sections.
        """
        if not self.course.staff_keep_to_sections:
            return None
        if self.role not in (Role.ASSISTANT, Role.GRADER):
            return None
        own = self.course.sections.filter(staff__user=self.user.pk).values_list("pk", flat=True)
        sections = list(own)
        return self.course.enrolments.in_sections(sections) if sections else None

    def may_act_for(self, people: Collection[int]) -> bool:
        """Return whether the course lets this member of staff act for one of these people."""
        own = self.students_in_reach()
        return own is None or own.filter(user__in=people).exists()

    def require_staff(self) -> None:
        """Raise NotAllowed unless the person is on the course's staff."""
        if not self.is_staff:
            raise NotAllowed("Only this course's staff may do that.")

    def require_instructor(self, *, to_look: bool = False) -> None:
        """Raise NotAllowed unless the person is an instructor, Refused in an archived course.

        ``to_look``: nothing is changed, so that an archived course is no obstacle.
        """
        if not self.is_instructor:
            raise NotAllowed("Only an instructor of this course may do that.")
        if not to_look:
            require_unarchived(self.course)

    def require_right(self, right: Right, *, people: Collection[int] = ()) -> None:
        """Raise NotAllowed unless the person has the right, for one of these people or for all.

        Staff of sections read the list of people of all. Raises Refused in an archived course,
        unless the right only reads (``ROSTER``, ``INTEGRITY``).
        """
        self._require_right_in_role(right)
        if right is not Right.ROSTER and not self.may_act_for(people):
            raise NotAllowed(_ELSEWHERE)

    def require_right_over_each(self, right: Right, groups: Iterable[Collection[int]]) -> None:
        """Raise what ``require_right`` does unless the person has the right for one of each group.

        Five queries at most, for any number of groups.
        """
        self._require_right_in_role(right)
        own = self.students_in_reach()
        if own is None:
            return
        reached = set(own.values_list("user", flat=True))
        if any(reached.isdisjoint(people) for people in groups):
            raise NotAllowed(_ELSEWHERE)

    def _require_right_in_role(self, right: Right) -> None:
        self.require_staff()
        if right not in self.rights:
            raise NotAllowed(f"Your role in this course does not let you {right.label}.")
        if right not in (Right.ROSTER, Right.INTEGRITY):
            require_unarchived(self.course)


def viewer_in(user: Person, course: Course) -> Viewer:
    """Return the person in the course. One query."""
    if not user.is_authenticated or not user.is_active:
        return Viewer(user, course, None)
    if user.is_superuser:
        return Viewer(user, course, Role.INSTRUCTOR)
    places = Enrolment.objects.active().filter(course=course, user=user)
    role = places.values_list("role", flat=True).first()
    return Viewer(user, course, None if role is None else Role(role))


def is_staff_anywhere(user: User) -> bool:
    """Return whether the user is an operator, may create courses, or is staff of one."""
    if user.is_superuser or user.is_staff or user.may_create_courses:
        return True
    return Enrolment.objects.active().filter(user=user, role__in=STAFF_ROLES).exists()


def is_own_team(user: Person, team: Team) -> bool:
    """Return whether the user is in the team, and still in its course."""
    if user.pk is None or not team.memberships.filter(user_id=user.pk).exists():
        return False
    return viewer_in(user, team.assignment.course).is_member


def require_course_maker(user: User) -> None:
    """Raise NotAllowed unless the user may create courses."""
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


def require_member(user: Person, course: Course) -> Viewer:
    """Return the user as a viewer of the course.

    Raises NotAllowed unless they are enrolled, Refused in an archived course.
    """
    viewer = viewer_in(user, course)
    if not viewer.is_member:
        raise NotAllowed("Only people enrolled in this course may do that.")
    require_unarchived(course)
    return viewer


def require_participant(user: Person, course: Course) -> None:
    """Raise what ``require_member`` does, and NotAllowed for observers."""
    if require_member(user, course).is_observer:
        raise NotAllowed("Observers may only read.")


def require_right(
    user: Person, course: Course, right: Right, *, people: Collection[int] = ()
) -> None:
    """Raise what ``Viewer.require_right`` does."""
    viewer_in(user, course).require_right(right, people=people)


def require_right_for(user: Person, team: Team, right: Right) -> None:
    """Raise NotAllowed unless the user has the right for one of the team's members."""
    people = list(team.memberships.values_list("user", flat=True))
    require_right(user, team.assignment.course, right, people=people)


def require_instructor(user: Person, course: Course, *, to_look: bool = False) -> None:
    """Raise what ``Viewer.require_instructor`` does."""
    viewer_in(user, course).require_instructor(to_look=to_look)
