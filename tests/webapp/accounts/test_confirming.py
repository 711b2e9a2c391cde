"""People confirm the address that they registered with; operators see the staff who have not."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.support.pages import signed_in, text_of
from webapp.people.accounts.identities import confirm_address, has_confirmed_address
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Course, EnrolmentState, Role

pytestmark = pytest.mark.django_db

PROFILE = "/accounts/profile/"
LINK = re.compile(r"/accounts/\S+")


def registered(course: Course) -> tuple[Client, User]:
    client = Client()
    data = {"email": "eve@uni.example", "display_name": "Eve", "password": "a-walk-in-the-rain"}
    client.post("/accounts/register/", data | {"invite_code": course.invite_code})
    return client, User.objects.get(email="eve@uni.example")


def link_of(user: User) -> str:
    (letter,) = Notification.objects.filter(user=user, topic="address")
    assert letter.address == user.email
    (link,) = LINK.findall(letter.body)
    return str(link)


def test_registering_sends_a_link_that_confirms_the_address(course: Course) -> None:
    client, eve = registered(course)
    assert course.enrolments.get(user=eve).state == EnrolmentState.ACTIVE
    assert "You have not confirmed eve@uni.example yet" in text_of(client.get(PROFILE))
    link = link_of(eve)
    assert "Is eve@uni.example your address?" in text_of(client.get(link))
    assert not has_confirmed_address(eve)
    assert "Your address is confirmed." in text_of(client.post(link, follow=True))
    assert has_confirmed_address(eve)
    assert "You have not confirmed" not in text_of(client.get(PROFILE))


def test_the_owner_of_the_mailbox_confirms_nobody_elses_account_by_a_click(
    course: Course, ida: User
) -> None:
    """Eve registered the address of Tess, who gets the link: it works in Eve's session alone."""
    _, eve = registered(course)
    link, tess = link_of(eve), Client()
    assert tess.post(link).status_code == 302
    tess.force_login(ida)
    tess.post(link)
    assert not has_confirmed_address(eve)


def test_the_link_can_be_sent_again(course: Course) -> None:
    client, eve = registered(course)
    Notification.objects.all().delete()
    asked = client.post("/accounts/profile/address/", {"email": eve.email}, follow=True)
    client.post(asked.wsgi_request.get_full_path(), {"password": "a-walk-in-the-rain"})
    client.post(link_of(eve))
    assert has_confirmed_address(eve)


def test_staff_without_a_confirmed_address_keep_their_roles_and_are_listed(
    course: Course, ida: User
) -> None:
    confirm_address(ida)
    client, eve = registered(course)
    course.enrolments.filter(user=eve).update(role=Role.ASSISTANT)
    assert client.get(f"/courses/{course.slug}/people/").status_code == 200
    out = StringIO()
    with pytest.raises(CommandError, match="1 with an address that nobody has confirmed"):
        call_command("check_staff", stdout=out)
    assert out.getvalue() == f"eve@uni.example  Eve: assistant in {course}\n"
    operator = signed_in(User.objects.create_superuser("olga@uni.example", display_name="Olga"))
    page = text_of(operator.get("/operations/graders/"))
    assert "Staff whose address nobody has confirmed: 1" in page
    assert "eve@uni.example" in page
    confirm_address(eve)
    call_command("check_staff", stdout=out)
    assert "Staff whose address" not in text_of(operator.get("/operations/graders/"))
