"""Students register with the invite code of a course."""

import pytest
from django.core.exceptions import ValidationError

from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Role
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.services.registering import register_student, registration_errors

PASSWORD = "fireworks at midnight"


def register(course: Course, **changes: str) -> User:
    usual = {"email": "Vera@Uni.Example", "display_name": "Vera", "password": PASSWORD}
    code = course.invite_code
    return register_student(**{**usual, **changes}, invite_code=code, student_number="77")


def test_a_student_registers_into_the_course_of_the_code(course: Course) -> None:
    user = register(course)
    assert user.email == "vera@uni.example"
    assert user.check_password(PASSWORD)
    assert viewer_in(user, course).role == Role.STUDENT
    assert not user.may_create_courses


def test_an_unknown_code_creates_nobody(db: None) -> None:
    with pytest.raises(ValidationError, match="invite code"):
        register(Course(invite_code="NOPE"))
    assert not User.objects.exists()


def test_a_taken_address_is_refused_whatever_its_capitals(course: Course) -> None:
    register(course)
    with pytest.raises(ValidationError, match="sign in"):
        register(course, email="VERA@uni.example")


def test_all_errors_are_reported_at_once(course: Course) -> None:
    wrong = registration_errors(
        email="vera", display_name="Ve\u202era", password="short", invite_code=course.invite_code
    )
    assert set(wrong) == {"email", "display_name", "password"}
    assert "invisible character (right-to-left override)" in wrong["display_name"][0]


def test_registering_without_a_code_reveals_no_accounts(course: Course) -> None:
    register(course)
    wrong = registration_errors(
        email="vera@uni.example", display_name="Eve", password=PASSWORD, invite_code="NOPE"
    )
    assert set(wrong) == {"invite_code"}


def test_a_course_that_is_full_takes_nobody(course: Course) -> None:
    course.places = course.enrolments.count() + 1
    course.save()
    register(course)
    with pytest.raises(ValidationError, match="full"):
        register(course, email="late@uni.example")
    assert not User.objects.filter(email="late@uni.example").exists()


@pytest.mark.parametrize(
    "name", ["می‌خواهم", "Zoë", "👩‍💻", "李小龙", "אבי", "Nguyễn Thị Ánh", "שָׁלוֹם", "ก้อง"]
)
def test_names_in_all_scripts_are_accepted(course: Course, name: str) -> None:
    assert register(course, display_name=name).display_name == name


@pytest.mark.parametrize(
    "name", ["\u3164", "Ada\u2800", "\u200d", " \u200c ", "A\u115fda", "Z" + "\u0351" * 6]
)
def test_names_that_show_nothing_or_cover_others_are_refused(course: Course, name: str) -> None:
    with pytest.raises(ValidationError):
        register(course, display_name=name)


@pytest.mark.parametrize("password", ["short", "password1234", "vera@uni.example", "1234567890123"])
def test_weak_passwords_are_refused(course: Course, password: str) -> None:
    with pytest.raises(ValidationError):
        register(course, password=password)
    assert not User.objects.filter(email="vera@uni.example").exists()
