"""Who may do what in a course."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from webapp.accounts.models import User
from webapp.courses.models import Assignment, Course, Role
from webapp.courses.permissions import (
    Person,
    is_instructor_of,
    is_staff_of,
    require_instructor,
    require_member,
    require_staff,
    role_in,
)
from webapp.errors import NotAllowed


def test_roles_come_from_enrolments(
    course: Course, ada: User, ida: User, outsider: User, vic: AnonymousUser
) -> None:
    roles = [role_in(user, course) for user in (ida, ada, outsider, vic)]
    assert roles == [Role.INSTRUCTOR, Role.STUDENT, None, None]


def test_operators_are_instructors_everywhere(course: Course) -> None:
    operator = User.objects.create_superuser("op@uni.example", display_name="Op")
    assert is_instructor_of(operator, course)


def test_who_was_switched_off_has_no_role(course: Course, ida: User) -> None:
    ida.is_active = False
    assert role_in(ida, course) is None


def test_assistants_are_staff_and_no_instructors(
    course: Course, enrol: Callable[..., User]
) -> None:
    assistant = enrol("Tom", role=Role.ASSISTANT)
    assert is_staff_of(assistant, course)
    assert not is_instructor_of(assistant, course)


@pytest.mark.parametrize(
    ("require", "allowed"),
    [
        (require_member, {"Ada", "Tom", "Ida"}),
        (require_staff, {"Tom", "Ida"}),
        (require_instructor, {"Ida"}),
    ],
)
def test_requirements_let_in_exactly_these(
    course: Course,
    enrol: Callable[..., User],
    ada: User,
    ida: User,
    outsider: User,
    require: Callable[[User, Course], None],
    allowed: set[str],
) -> None:
    passed = set()
    for user in (ada, enrol("Tom", role=Role.ASSISTANT), ida, outsider):
        try:
            require(user, course)
        except NotAllowed:
            continue
        passed.add(user.display_name)
    assert passed == allowed


def test_an_assignment_shows_itself_to_students_when_it_opens(
    assignment: Assignment, ada: User, ida: User, outsider: User, vic: AnonymousUser
) -> None:
    def sees(user: Person, at: datetime) -> bool:
        return Assignment.objects.visible_to(user, at=at).exists()

    before, after = assignment.opens_at - timedelta(seconds=1), assignment.opens_at
    assert (sees(ada, before), sees(ada, after)) == (False, True)
    assert (sees(ida, before), sees(ida, after)) == (True, True)
    assert not sees(outsider, after)
    assert not sees(vic, after)


def test_courses_are_visible_to_those_enrolled(
    course: Course, ada: User, outsider: User, vic: AnonymousUser
) -> None:
    assert Course.objects.visible_to(ada).get() == course
    assert not Course.objects.visible_to(outsider).exists()
    assert not Course.objects.visible_to(vic).exists()
