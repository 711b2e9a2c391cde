"""A platform's list of people, over HTTP, and what an import makes of it."""

import re
from html import unescape
from typing import Any

import pytest

from tests.support.lti_platform import LEARNER, LtiPlatform
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.flow.lti.models import LinkedCourse, Platform

pytestmark = pytest.mark.django_db

MEMBERS: list[dict[str, Any]] = [
    {"user_id": "1", "name": "Ada Lovelace", "email": "ada@example.org", "roles": [LEARNER]},
    {"user_id": "2", "given_name": "Eve", "family_name": "Moneypenny", "email": "eve@example.org",
     "roles": [LEARNER], "lis_person_sourcedid": "0815"},
    {"user_id": "3", "name": "Toni Assistant", "email": "toni@example.org", "roles": [
        "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"]},
    {"user_id": "4", "name": "Without Address", "roles": [LEARNER]},
    {"user_id": "5", "name": "Gone", "email": "gone@example.org", "status": "Inactive",
     "roles": [LEARNER]},
]  # fmt: skip


def ask(world: World, linked: LinkedCourse) -> str:
    address = f"/courses/coop/platforms/{linked.pk}/people/"
    return text_of(signed_in(world.ida).post(address, follow=True))


def test_the_list_is_read_page_by_page_and_imported_like_a_file(
    linked: LinkedCourse, world: World, platform: LtiPlatform
) -> None:
    platform.members = MEMBERS
    client = signed_in(world.ida)
    answer = client.post(f"/courses/coop/platforms/{linked.pk}/people/")
    page, html = text_of(answer), answer.content.decode()
    assert "3 members in Games in the LMS (Moodle)" in page
    assert "1 member left out: the platform does not release the e-mail address." in page
    assert "Ask its administrator to release e-mail addresses to Firebox" in page
    form = {
        name: unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html)
    }
    preview = client.post("/courses/coop/people/import/", form)
    assert [count for count in preview.context["plan"].counts if count[1]] == [
        ("added", 2),
        ("left alone", 1),
    ]
    previewed = preview.context["plan"].digest
    client.post("/courses/coop/people/import/", {**form, "previewed": previewed, "do": "1"})
    places = world.course.enrolments
    assert places.get(user__email="eve@example.org").student_number == "0815"
    assert places.get(user__email="toni@example.org").role == "assistant"
    assert not places.filter(user__email="gone@example.org").exists()


def test_a_member_whose_role_and_status_are_null_is_an_active_student(
    linked: LinkedCourse, world: World, platform: LtiPlatform
) -> None:
    platform.members = [{**MEMBERS[0], "roles": None, "status": None}]
    assert "1 member in Games in the LMS (Moodle)" in ask(world, linked)


def test_a_platform_that_does_not_answer_or_offers_no_list_is_named(
    linked: LinkedCourse, world: World
) -> None:
    Platform.objects.update(token_url="http://127.0.0.1:9/token")
    assert "Moodle did not give its list of people." in ask(world, linked)
    LinkedCourse.objects.update(memberships_url="")
    assert "does not offer its list of people" in ask(world, linked)


@pytest.mark.parametrize("body", [[], "none", {"members": {"1": "Ada"}}, {"members": ["Ada"]}])
def test_a_platform_that_answers_with_something_else_is_named(
    linked: LinkedCourse, world: World, platform: LtiPlatform, body: object
) -> None:
    platform.answers = body
    assert "Moodle did not give its list of people." in ask(world, linked)
