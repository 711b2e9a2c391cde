"""An import lowers no role unless an instructor chooses it: platforms call assistants learners."""

from collections.abc import Callable

import pytest

from tests.support.pages import signed_in
from tests.webapp.courses.roster.test_importing import bring_in, entry
from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course, EnrolmentState, Role
from webapp.teaching.courses.roster.planning import plan_import

pytestmark = pytest.mark.django_db

PAGE = "/courses/games/people/import/"


def test_an_import_lowers_no_role_unless_asked(
    course: Course, ida: User, enrol: Callable[..., User]
) -> None:
    cleo = enrol("Cleo", role=Role.ASSISTANT)
    enrol("Gus", role=Role.GRADER)
    people = [entry("Cleo", role="learner"), entry("Gus", role="observer")]
    roles = course.enrolments.exclude(user=ida).order_by("user__email")
    bring_in(course, ida, *people)
    assert list(roles.values_list("role", flat=True)) == ["assistant", "grader"]
    bring_in(course, ida, *people, lower=(course.enrolments.get(user=cleo).pk,))
    assert list(roles.values_list("role", flat=True)) == ["student", "grader"]
    act = Act.objects.get(kind="people.role")
    assert (act.person, act.before, act.after) == (
        cleo,
        {"role": "assistant"},
        {"role": "student"},
    )


def test_the_last_instructor_cannot_be_lowered_by_an_import(course: Course, ida: User) -> None:
    key = course.enrolments.get(user=ida).pk
    with pytest.raises(Refused, match="no instructor left"):
        bring_in(course, ida, entry("Ida", role="student"), lower=(key,))


def test_the_preview_names_each_change_of_role(
    course: Course, ida: User, ada: User, enrol: Callable[..., User]
) -> None:
    enrol("Cleo", role=Role.ASSISTANT)
    people = [entry("Cleo", role="learner"), entry("Ada", role="ta"), entry("Dan", role="tutor")]
    changes = [
        (line.name, line.role_before, line.role.value, line.lower_role)
        for line in plan_import(course, [*people, entry("Ben", role="")]).about_roles
    ]
    assert changes == [
        ("Cleo", "assistant", "assistant", Role.STUDENT),
        ("Ada", "student", "assistant", None),
        ("Dan", "new", "assistant", None),
    ]


def test_the_choice_is_a_box_for_each_person_and_unticked(
    course: Course, ida: User, enrol: Callable[..., User]
) -> None:
    cleo = course.enrolments.get(user=enrol("Cleo", role=Role.ASSISTANT))
    client = signed_in(ida)
    text = "Name,E-mail address,Role\nCleo,cleo@uni.example,Learner\n"
    form = {"text": text, "column_name": "Name", "column_email": "E-mail address"}
    form |= {"column_role": "Role"}
    page = client.post(PAGE, form)
    html = " ".join(page.content.decode().split())
    assert f'<input type="checkbox" name="lower" value="{cleo.pk}" >' in html
    assert "Make Cleo student, as in the file" in html
    assert [count for count in page.context["plan"].counts if count[1]] == [("left alone", 1)]
    form |= {"previewed": page.context["plan"].digest, "do": "1"}
    client.post(PAGE, form)
    cleo.refresh_from_db()
    assert cleo.role == Role.ASSISTANT
    client.post(PAGE, form | {"lower": str(cleo.pk)})
    cleo.refresh_from_db()
    assert cleo.role == Role.STUDENT


def test_a_person_who_comes_back_gets_the_role_in_the_file(
    course: Course, ida: User, enrol: Callable[..., User]
) -> None:
    cleo = enrol("Cleo", role=Role.ASSISTANT)
    course.enrolments.filter(user=cleo).update(state=EnrolmentState.REMOVED)
    (line,) = plan_import(course, [entry("Cleo", role="learner")]).about_roles
    assert (line.role_before, line.role) == ("assistant, removed", Role.STUDENT)
    bring_in(course, ida, entry("Cleo", role="learner"))
    assert course.enrolments.get(user=cleo).role == Role.STUDENT
