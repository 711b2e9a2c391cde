"""The interfaces of an assignment: valid choices, and when they may change."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from grader.interfaces import INTERFACES
from tests.support.interfaces import GAME_OF
from tests.webapp.conftest import another
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course
from webapp.teaching.courses.services import set_student_number

UWA = {"variant": "uwa", "players": 3}


def change(assignment: Assignment, by: User, **fields: Any) -> Assignment:
    update_assignment(assignment=assignment, by=by, **fields)
    assignment.refresh_from_db()
    return assignment


@pytest.mark.parametrize("name", GAME_OF)
def test_every_interface_can_be_taken_by_its_own_rules(
    name: str, assignment: Assignment, ida: User
) -> None:
    options = {"variant": INTERFACES[name].rules.variant or "standard", "players": 2}
    fields = {"game": GAME_OF[name], "interfaces": [name], "options": options}
    assert another(assignment.course, ida, **fields).interfaces == [name]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"interfaces": []}, "interfaces", "Choose at least one"),
        ({"interfaces": ["cobol"]}, "interfaces", "'cobol' is not known"),
        ({"interfaces": ["python", "python"]}, "interfaces", "each once"),
        ({"interfaces": "python"}, "interfaces", "list of names"),
        ({"interfaces": ["uwa-java"]}, "interfaces", "draw_position is end"),
        (
            {"interfaces": ["python", "gcc-cpp"], "options": UWA},
            "interfaces",
            "a game has 2 players, not 3",
        ),
        (
            {"interface_options": ["legacy_first_state"]},
            "interface_options",
            "'legacy_first_state' is not an option",
        ),
        ({"mode": "pack"}, "mode", "'pack' is not a mode"),
        ({"mode": "team"}, "mode", "Not possible with Python class"),
        (
            {"interfaces": ["python", "ensta-python"], "options": {"variant": "ensta"}}
            | {"mode": "team"},
            "mode",
            "Not possible with Python class.",
        ),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_at_its_field(
    assignment: Assignment, ida: User, fields: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        change(assignment, ida, **fields)
    assert words in " ".join(refused.value.message_dict[field])


def test_interfaces_options_and_mode_are_fixed_once_graded_games_were_requested(
    assignment: Assignment, graded: Evaluation, ida: User
) -> None:
    assert graded.kind == Kind.GRADED
    for field, value in (
        ("interfaces", ["python", "cs221-python"]),
        ("interface_options", ["legacy_first_state"]),
        ("mode", "seat"),
    ):
        with pytest.raises(Refused, match=field):
            change(assignment, ida, **{field: value})
        assignment.refresh_from_db()
    change(assignment, ida, checks_student_number=True)
    with pytest.raises(Refused, match="checks_student_number"):
        change(assignment, ida, checks_student_number=False)


@pytest.mark.parametrize(("field", "value"), [("interfaces", []), ("mode", "both")])
def test_the_database_refuses_impossible_interfaces_and_modes(
    assignment: Assignment, field: str, value: object
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=assignment.pk).update(**{field: value})


# --- Student numbers --------------------------------------------------------------------------


def test_students_say_their_number_once_and_instructors_correct_it(
    course: Course, ada: User, ben: User, ida: User
) -> None:
    place = course.enrolments.get(user=ada)
    with pytest.raises(Refused, match="Enter your student number"):
        set_student_number(enrolment=place, by=ada, number="  ")
    set_student_number(enrolment=place, by=ada, number=" 10000001 ")
    with pytest.raises(Refused, match="student number already"):
        set_student_number(enrolment=place, by=ada, number="10000002")
    with pytest.raises(NotAllowed):
        set_student_number(enrolment=place, by=ben, number="10000002")
    set_student_number(enrolment=place, by=ida, number="10000003")
    place.refresh_from_db()
    assert place.student_number == "10000003"


def test_a_number_longer_than_any_is_refused(course: Course, ada: User) -> None:
    place = course.enrolments.get(user=ada)
    with pytest.raises(ValidationError):
        set_student_number(enrolment=place, by=ada, number="1" * 41)
