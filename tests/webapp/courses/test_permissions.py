"""Permissions in a course."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import User
from webapp.teaching.courses import services
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    LeaderboardVisibility,
    Role,
    Team,
)
from webapp.teaching.courses.permissions import (
    Person,
    require_instructor,
    require_member,
    require_right,
    viewer_in,
)
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.services import create_section, move_student, set_looks_after, team_for


def test_roles_come_from_enrolments(
    course: Course, ada: User, ida: User, outsider: User, vic: AnonymousUser
) -> None:
    roles = [viewer_in(user, course).role for user in (ida, ada, outsider, vic)]
    assert roles == [Role.INSTRUCTOR, Role.STUDENT, None, None]


def test_a_deactivated_account_has_no_role(course: Course, ida: User) -> None:
    ida.is_active = False
    assert viewer_in(ida, course).role is None


@pytest.mark.parametrize(
    ("require", "allowed"),
    [
        (require_member, {"Ada", "Tom", "Ida"}),
        (lambda user, course: viewer_in(user, course).require_staff(), {"Tom", "Ida"}),
        (require_instructor, {"Ida"}),
    ],
)
def test_each_requirement_admits_only_its_roles(
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


def rights(user: User, course: Course) -> set[str]:
    return {right.name_kept for right in viewer_in(user, course).rights}


def test_the_course_decides_what_assistants_may_do(
    course: Course, enrol: Callable[..., User]
) -> None:
    tom = enrol("Tom", role=Role.ASSISTANT)
    assert rights(tom, course) == {right.name_kept for right in Right} - {"integrity"}
    course.assistant_rights = ["grade", "fly"]
    assert rights(tom, course) == {"grade"}


@pytest.mark.parametrize(
    ("role", "expected"),
    [(Role.STUDENT, set()), (Role.OBSERVER, {"roster"}), (Role.GRADER, {"grade"})],
)
def test_other_roles_have_fixed_rights(
    role: Role, expected: set[str], course: Course, enrol: Callable[..., User]
) -> None:
    assert rights(enrol("Tom", role=role), course) == expected


def test_staff_can_be_bound_to_the_sections_they_look_after(
    course: Course, ida: User, ada: User, ben: User, enrol: Callable[..., User]
) -> None:
    tom = enrol("Tom", role=Role.ASSISTANT)
    monday = create_section(course=course, by=ida, name="Monday")
    course.enrolments.filter(user=ada).update(section=monday)
    set_looks_after(enrolment=course.enrolments.get(user=tom), by=ida, sections=[monday])
    require_right(tom, course, Right.EXTEND, people=[ben.pk])
    course.staff_keep_to_sections = True
    require_right(tom, course, Right.EXTEND, people=[ada.pk])
    for people in ([ben.pk], []):
        with pytest.raises(NotAllowed, match="other sections"):
            require_right(tom, course, Right.EXTEND, people=people)
    require_right(ida, course, Right.EXTEND, people=[ben.pk])
    require_right(tom, course, Right.ROSTER)


def test_staff_bound_to_sections_move_nobody_into_a_team_of_others(
    course: Course,
    assignment: Assignment,
    ida: User,
    ada: User,
    ben: User,
    enrol: Callable[..., User],
) -> None:
    tom, cy = enrol("Tom", role=Role.ASSISTANT), enrol("Cy")
    monday = create_section(course=course, by=ida, name="Monday")
    course.enrolments.filter(user__in=[ada, cy]).update(section=monday)
    set_looks_after(enrolment=course.enrolments.get(user=tom), by=ida, sections=[monday])
    Course.objects.update(staff_keep_to_sections=True)
    own, other = (Team.objects.select_related("assignment__course").get(
        pk=team_for(user=user, assignment=assignment).pk) for user in (cy, ben))  # fmt: skip
    with pytest.raises(NotAllowed, match="other sections"):
        move_student(user=ada, team=other, by=tom)
    move_student(user=ada, team=own, by=tom)
    assert set(own.users.all()) == {ada, cy}


def test_an_observer_takes_no_part(
    course: Course, assignment: Assignment, enrol: Callable[..., User]
) -> None:
    with pytest.raises(NotAllowed, match="may only read"):
        team_for(user=enrol("Olaf", role=Role.OBSERVER), assignment=assignment)


def test_only_assistants_and_graders_look_after_sections(
    course: Course, ida: User, ada: User
) -> None:
    with pytest.raises(Refused, match="Only assistants"):
        set_looks_after(enrolment=course.enrolments.get(user=ada), by=ida, sections=[])


STAFF_ACTS: list[Callable[[Team, User], object]] = [
    lambda _, by: services.create_course(by=by, title="Mine", slug="mine"),
    lambda on, by: services.update_course(course=on.assignment.course, by=by, title="Mine"),
    lambda on, by: services.renew_invite_code(course=on.assignment.course, by=by),
    lambda on, by: services.create_section(course=on.assignment.course, by=by, name="Mine"),
    lambda on, by: services.set_section(enrolment=place_of(on, by), by=by, section=None),
    lambda on, by: services.set_role(
        enrolment=place_of(on, by), by=by, role=Role.INSTRUCTOR, reason="Asked to"
    ),
    lambda on, by: services.change_people(
        course=on.assignment.course, by=by, enrolments=[place_of(on, by)], role=Role.GRADER
    ),
    lambda on, by: services.create_assignment(course=on.assignment.course, by=by, title="Mine"),
    lambda on, by: services.update_assignment(assignment=on.assignment, by=by, title="Mine"),
    lambda on, by: services.set_leaderboard(
        assignment=on.assignment, by=by, visibility=LeaderboardVisibility.PUBLIC
    ),
    lambda on, by: services.reveal_secret(assignment=on.assignment, by=by),
    lambda on, by: services.extend_deadline(team=on, by=by, due_at=None, reason="Ill"),
]


def place_of(team: Team, user: User) -> Enrolment:
    return team.assignment.course.enrolments.get(user=user)


@pytest.mark.parametrize("role", [Role.STUDENT, Role.OBSERVER, Role.GRADER])
def test_roles_without_the_right_change_nothing(
    role: Role, team: Team, enrol: Callable[..., User]
) -> None:
    someone = enrol("Sam", role=role)
    for act in STAFF_ACTS:
        with pytest.raises(NotAllowed):
            act(team, someone)


def models_with_readers() -> list[type[Model]]:
    return [model for model in apps.get_models() if hasattr(model._default_manager, "visible_to")]


def test_a_visitor_sees_no_row_of_any_model_and_an_operator_needs_no_place(
    db: None, vic: AnonymousUser
) -> None:
    operator = User.objects.create_superuser("root@uni.example", display_name="Root")
    assert {"Course", "Submission", "Tournament"} <= {m.__name__ for m in models_with_readers()}
    for model in models_with_readers():
        rows = model._default_manager.all()
        assert rows.visible_to(vic).query.is_empty(), model
        assert "enrolment" not in str(rows.visible_to(operator).query), model
