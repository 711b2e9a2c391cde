"""The page of the audit log: filters, pages, and the same as CSV."""

import csv
import io
from datetime import datetime

import pytest
from django.db import transaction
from django.db.models import Model
from django.forms import BaseForm
from pytest_django import DjangoAssertNumQueries

from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.course import CourseForm
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind, name_of_value
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.models import Assignment, Course, Role
from webapp.teaching.courses.services import set_role

pytestmark = pytest.mark.django_db

LOG = "/courses/coop/log/"


def rows(response: object) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(text)))


def test_an_act_is_shown_with_who_whom_change_and_reason(world: World) -> None:
    place = world.course.enrolments.get(user=world.ben)
    set_role(enrolment=place, by=world.ida, role=Role.ASSISTANT, reason="Helps on Mondays")
    page = text_of(signed_in(world.ida).get(LOG))
    for words in ("Role changed", "Ida", "Ben", "student", "assistant", "Helps on Mondays"):
        assert words in page


@pytest.mark.parametrize(("form", "model"), [(AssignmentForm, Assignment), (CourseForm, Course)])
def test_a_changed_setting_has_the_name_that_its_form_gives_it(
    form: type[BaseForm], model: type[Model]
) -> None:
    fields = {field.name for field in model._meta.get_fields()}
    labels = {
        name: str(field.label or name.replace("_", " "))
        for name, field in form.base_fields.items()
        if name in fields
    }
    assert {name: name_of_value(name) for name in labels} == {
        name: label[:1].lower() + label[1:] for name, label in labels.items()
    }


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("kind=people.role", {"Role changed"}),
        ("kind=people", {"Role changed"}),
        ("kind=section.created", {"Section created"}),
        ("q=ben", {"Role changed"}),
        ("since=2026-03-02", {"Section created"}),
        ("until=2026-03-01", {"Role changed"}),
        ("since=nonsense", {"Role changed", "Section created"}),
        ("q=nobody-like-this", set()),
    ],
)
def test_filters_leave_out_what_is_not_wanted(query: str, shown: set[str], world: World) -> None:
    tz = world.course.tz
    with transaction.atomic():
        record_all(
            [
                act(
                    ActKind.ROLE_CHANGED,
                    by=world.ida,
                    course=world.course,
                    person=world.ben,
                    at=datetime(2026, 3, 1, 23, 30, tzinfo=tz),
                ),
                act(
                    ActKind.SECTION_CREATED,
                    by=world.ida,
                    course=world.course,
                    thing="Monday",
                    at=datetime(2026, 3, 2, 0, 30, tzinfo=tz),
                ),
            ]
        )
    found = rows(signed_in(world.ida).get(f"/courses/coop/log.csv?{query}"))
    subjects = {"Role changed", "Section created"}
    assert {row["What"] for row in found if row["When"] < "2026-03-10"} & subjects == shown


def test_a_course_shows_its_own_acts_and_operators_see_all(world: World) -> None:
    with transaction.atomic():
        record_all([act(ActKind.GRADER_ADMITTED, by=None, thing="grader-7")])
    assert "grader-7" not in text_of(signed_in(world.ida).get(LOG))
    operator = User.objects.create_superuser("op@uni.example", display_name="Opal")
    page = text_of(signed_in(operator).get("/operations/log/"))
    assert "grader-7" in page
    assert "Course created" in page
    data = {"email": "new@uni.example", "display_name": "New", "usable_password": "false"}
    assert signed_in(operator).post("/admin/accounts/user/add/", data).status_code == 302
    assert "Record added by an operator" in text_of(signed_in(operator).get("/operations/log/"))
    with transaction.atomic():
        record_all([act(ActKind.ROLE_CHANGED, by=world.ida, course=world.course, reason="=1+1")])
    assert "'=1+1" in {row["Why"] for row in rows(signed_in(world.ida).get(LOG[:-1] + ".csv"))}


def test_a_page_has_fifty_acts_and_few_queries(
    world: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with transaction.atomic():
        record_all(
            act(ActKind.ROLE_CHANGED, by=world.ida, course=world.course, person=world.ada)
            for _ in range(120)
        )
    client = signed_in(world.ida)
    with django_assert_max_num_queries(8):
        first = client.get(LOG + "?q=ada&kind=people.role")
    assert text_of(first).count("Ada") >= 50
    assert "Page 1 of 3" in text_of(first)
    assert "q=ada&amp;kind=people.role&amp;page=2" in first.content.decode()
