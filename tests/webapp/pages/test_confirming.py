"""Acts that cannot be undone ask for confirmation on a page of their own."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import COURSE, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Status
from webapp.people.accounts.models import AccessToken
from webapp.people.accounts.tokens import create_token
from webapp.teaching.announcements.services import post
from webapp.teaching.courses.models import Enrolment, Role
from webapp.teaching.courses.services import create_section, set_section_dates

pytestmark = pytest.mark.django_db


def asked(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    page = text_of(response)
    assert "?</h1>" in page
    assert "Cancel</a>" in page
    return page


def test_deleting_an_announcement_is_confirmed_first(world: World) -> None:
    announcement = post(
        course=world.course, by=world.ida, title="No lecture", text="x", at=timezone.now()
    )
    client, address = signed_in(world.ida), f"{COURSE}announcements/{announcement.pk}/delete/"
    assert "No lecture" in asked(client, address)
    assert world.course.announcements.exists()
    assert "Announcement deleted." in text_of(client.post(address, follow=True))
    assert signed_in(world.ada).get(address).status_code == 403


def test_replacing_the_invite_code_is_confirmed_first(world: World) -> None:
    client, before = signed_in(world.ida), world.course.invite_code
    assert before in asked(client, COURSE + "invite-code/")
    client.post(COURSE + "invite-code/")
    world.course.refresh_from_db()
    assert world.course.invite_code != before


def test_revoking_an_access_token_is_confirmed_first(world: World) -> None:
    create_token(user=world.ada, name="my laptop", at=timezone.now())
    token = AccessToken.objects.get()
    address = f"/accounts/profile/tokens/{token.pk}/revoke/"
    assert "my laptop" in asked(signed_in(world.ada), address)
    assert signed_in(world.ben).get(address).status_code == 404


def test_cancelling_an_evaluation_is_confirmed_first(world: World) -> None:
    evaluation = worlds.upload(world, world.ada).evaluations.get()
    address = f"/evaluations/{evaluation.uuid}/cancel/"
    page = asked(signed_in(world.ida), address + "?from=submission")
    assert 'name="from" value="submission"' in page
    assert "What has been played (0 games) does not count." in page
    assert signed_in(world.ada).get(address).status_code == 403
    evaluation.refresh_from_db()
    assert evaluation.status == Status.QUEUED


def test_observers_are_offered_no_decision(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    address = f"/submissions/{submission.pk}/"
    assert "Cancel evaluation" in text_of(signed_in(world.cleo).get(address))
    Enrolment.objects.filter(user=world.cleo).update(role=Role.OBSERVER)
    assert "Cancel evaluation" not in text_of(signed_in(world.cleo).get(address))
    worlds.fail(submission.evaluations.get())
    for page in (address, COURSE + "assignments/hanabi/teams/"):
        text = text_of(signed_in(world.cleo).get(page))
        assert "requeue/" not in text
        assert "Cancel evaluation" not in text


def test_giving_up_ones_own_role_as_instructor_is_confirmed_first(world: World) -> None:
    Enrolment.objects.filter(user=world.cleo).update(role=Role.INSTRUCTOR)
    place = Enrolment.objects.get(user=world.ida)
    client, address = signed_in(world.ida), f"{COURSE}people/{place.pk}/role/"
    values = {"role": "assistant", "reason": "On leave"}
    page = text_of(client.post(address, values))
    assert "Give up your role as instructor?" in page
    place.refresh_from_db()
    assert place.role == Role.INSTRUCTOR
    client.post(address, {**values, "sure": "yes"})
    place.refresh_from_db()
    assert place.role == Role.ASSISTANT


def test_an_act_on_all_search_results_asks_first(world: World) -> None:
    client, address = signed_in(world.ida), COURSE + "people/change/?role=student"
    values = {"act": "state:withdrawn", "reason": "Wrong list", "everybody": "on"}
    page = text_of(client.post(address, values))
    assert "Mark as withdrawn for 2 people?" in page
    assert 'action="/courses/coop/people/change/?role=student"' in page
    students = world.course.enrolments.filter(role=Role.STUDENT)
    assert students.active().count() == 2
    page = text_of(client.post(address, {**values, "sure": "yes"}, follow=True))
    assert "Changed: 2 people." in page
    assert students.active().count() == 0


def test_removing_the_dates_of_a_section_is_confirmed_first(world: World) -> None:
    section = create_section(course=world.course, by=world.ida, name="Monday")
    set_section_dates(
        assignment=world.assignment,
        section=section,
        by=world.ida,
        due_at=world.assignment.due_at + timedelta(days=2),
    )
    client, address = signed_in(world.ida), COURSE + "assignments/hanabi/sections/"
    values = {"section": str(section.pk), "clear": "1"}
    assert "Remove the dates of Monday?" in text_of(client.post(address, values))
    assert world.assignment.section_dates.exists()
    client.post(address, {**values, "sure": "yes"})
    assert not world.assignment.section_dates.exists()
