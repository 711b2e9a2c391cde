"""Courses, enrolling, roles."""

import pytest
from django.core.exceptions import ValidationError

from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Role
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.services import (
    create_course,
    create_section,
    enrol_by_code,
    renew_invite_code,
    set_role,
    set_section,
    set_student_number,
)


def test_the_creator_of_a_course_is_its_instructor(course: Course, ida: User) -> None:
    assert viewer_in(ida, course).role == Role.INSTRUCTOR


def test_an_unknown_time_zone_is_an_error_beside_its_field(ida: User) -> None:
    with pytest.raises(ValidationError) as caught:
        create_course(by=ida, title="X", slug="x", timezone="Mars/Base")
    assert "timezone" in caught.value.message_dict


def test_an_invite_code_enrols_as_student_once(course: Course, outsider: User) -> None:
    code = course.invite_code.lower()
    for _ in range(2):
        enrol_by_code(user=outsider, invite_code=f" {code} ", student_number="123")
    enrolment = course.enrolments.get(user=outsider)
    assert (enrolment.role, enrolment.student_number) == (Role.STUDENT, "123")


def test_joining_does_not_demote_an_instructor(course: Course, ida: User) -> None:
    enrol_by_code(user=ida, invite_code=course.invite_code)
    assert viewer_in(ida, course).role == Role.INSTRUCTOR


def test_an_old_invite_code_stops_working(course: Course, ida: User, outsider: User) -> None:
    old = course.invite_code
    assert renew_invite_code(course=course, by=ida) != old
    with pytest.raises(Refused, match="invite code"):
        enrol_by_code(user=outsider, invite_code=old)


def test_a_course_keeps_an_instructor(course: Course, ada: User, ida: User) -> None:
    own = course.enrolments.get(user=ida)
    with pytest.raises(Refused, match="only instructor"):
        set_role(enrolment=own, by=ida, role=Role.STUDENT, reason="Asked to")
    set_role(
        enrolment=course.enrolments.get(user=ada), by=ida, role=Role.INSTRUCTOR, reason="Asked to"
    )
    set_role(enrolment=own, by=ida, role=Role.STUDENT, reason="Asked to")
    assert viewer_in(ida, course).role == Role.STUDENT


@pytest.mark.parametrize("guess", ["7001233", "7001234"])
def test_students_cannot_test_guesses_of_a_student_number(
    course: Course, ada: User, ben: User, guess: str
) -> None:
    course.enrolments.filter(user=ben).update(student_number="7001234")
    place = course.enrolments.get(user=ben)
    with pytest.raises(NotAllowed):
        set_student_number(enrolment=place, by=ada, number="7", seen=guess)


def test_a_section_with_a_name_in_use_or_of_another_course_is_refused(
    course: Course, ida: User, ada: User
) -> None:
    create_section(course=course, by=ida, name="Tuesday")
    for name in ("Tuesday", "  "):
        with pytest.raises(ValidationError):
            create_section(course=course, by=ida, name=name)
    other = create_course(by=ida, title="Other", slug="other")
    elsewhere = create_section(course=other, by=ida, name="Friday")
    place = course.enrolments.get(user=ada)
    with pytest.raises(Refused, match="another course"):
        set_section(enrolment=place, by=ida, section=elsewhere)
