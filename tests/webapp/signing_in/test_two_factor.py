"""A second factor: an authenticator app, recovery codes, and staff who must have one."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.people.accounts.models import FormAttempt, User
from webapp.people.auditlog.models import Act

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _no_counts_of_others(db: None) -> None:
    cache.clear()


def code(secret: str = SECRET, *, steps: int = 0) -> str:
    """The code that the app shows after ``steps`` half minutes."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def protect(user: User) -> None:
    TOTP.activate(user, SECRET)


def enter_password(user: User, client: Client, **data: str) -> Any:
    form = {"username": user.email, "password": worlds.PASSWORD, **data}
    return client.post("/accounts/sign-in/", form)


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/profile/").status_code == 200


def test_a_password_alone_does_not_sign_in(world: World) -> None:
    protect(world.ada)
    client = Client()
    assert enter_password(world.ada, client)["Location"] == "/accounts/two-factor/sign-in/"
    assert not is_signed_in(client)
    refused = client.post("/accounts/two-factor/sign-in/", {"code": "000000"})
    assert "Incorrect code" in text_of(refused)
    assert not is_signed_in(client)
    answer = client.post("/accounts/two-factor/sign-in/", {"code": code()})
    assert answer["Location"] == "/"
    assert is_signed_in(client)


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_works_once(kind: str, world: World) -> None:
    protect(world.ada)
    recovery = RecoveryCodes.activate(world.ada).generate_codes()[0]
    shown = code() if kind == "app" else recovery
    for first in (True, False):
        client = Client()
        enter_password(world.ada, client)
        client.post("/accounts/two-factor/sign-in/", {"code": shown})
        assert is_signed_in(client) == first


def test_codes_cannot_be_guessed_from_many_networks(world: World) -> None:
    protect(world.ada)
    for number in range(6):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        enter_password(world.ada, client)
        answer = client.post("/accounts/two-factor/sign-in/", {"code": f"00000{number}"})
    assert "Too many failed login attempts" in text_of(answer)
    answer = client.post("/accounts/two-factor/sign-in/", {"code": code()})
    assert "Too many failed login attempts" in text_of(answer)
    assert FormAttempt.objects.filter(kind="sign_in").count() == 5


def test_the_page_wanted_is_shown_after_the_code(world: World) -> None:
    protect(world.ada)
    client = Client()
    enter_password(world.ada, client, next="/accounts/profile/")
    answer = client.post("/accounts/two-factor/sign-in/", {"code": code()})
    assert answer["Location"] == "/accounts/profile/"


def test_a_provider_does_not_get_around_the_code(world: World, arrive: Callable[..., Any]) -> None:
    claims = {"email": "ada@example.org", "email_verified": True}
    arrive("ada-mfa", **claims)
    protect(world.ada)
    page = arrive("ada-mfa", **claims)
    assert page.wsgi_request.path == "/accounts/two-factor/sign-in/"
    assert not page.wsgi_request.user.is_authenticated


def set_up(client: Client) -> Any:
    page = client.get("/accounts/two-factor/app/", follow=True)
    if page.wsgi_request.path == "/accounts/confirm/":
        address = page.redirect_chain[-1][0]
        page = client.post(address, {"password": worlds.PASSWORD}, follow=True)
    (secret,) = re.findall(r'class="secret">(\w+)<', text_of(page))
    return client.post("/accounts/two-factor/app/", {"code": code(secret)}, follow=True)


def test_setting_up_a_second_factor_takes_the_password_shows_recovery_codes_and_is_logged(
    world: World, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    client = signed_in(world.ada)
    with django_capture_on_commit_callbacks(execute=True):
        page = set_up(client)
    assert len(re.findall(r"<code>\d{8}</code>", text_of(page))) == 10
    assert Act.objects.filter(kind="people.two_factor", person=world.ada).count() == 2
    assert len(client.get("/accounts/two-factor/codes/download/").content.split()) == 10
    client.post("/accounts/two-factor/app/remove/")
    assert not Authenticator.objects.exists()


def test_a_wrong_password_sets_nothing_up(world: World) -> None:
    client = signed_in(world.ada)
    page = client.post("/accounts/confirm/", {"password": "wrong"})
    assert "Incorrect password" in text_of(page)
    assert client.get("/accounts/two-factor/app/").status_code == 302


@pytest.mark.parametrize("name", ["cleo", "ida"])
def test_staff_who_need_a_second_factor_see_no_other_page_before(
    name: str, world: World, settings: Settings
) -> None:
    settings.STAFF_TWO_FACTOR = True
    client = signed_in(getattr(world, name))
    for address in ("/", "/courses/coop/people/", "/accounts/profile/", "/accounts/password/"):
        assert client.get(address)["Location"] == "/accounts/two-factor/app/"
    assert "with a second factor: set it up first" in text_of(client.get("/", follow=True))
    set_up(client)
    assert client.get("/courses/coop/people/").status_code == 200
    refused = text_of(client.get("/accounts/two-factor/app/remove/"))
    assert "You cannot deactivate two-factor authentication." in refused
    client.post("/accounts/two-factor/app/remove/")
    assert Authenticator.objects.filter(type="totp").count() == 1


def test_students_need_no_second_factor(world: World, settings: Settings) -> None:
    settings.STAFF_TWO_FACTOR = True
    client = signed_in(world.ada)
    assert client.get("/courses/coop/").status_code == 200


def test_operators_reset_a_second_factor_that_was_lost(world: World) -> None:
    protect(world.ada)
    call_command("remove_two_factor", "Ada@example.org", reason="Seen in person")
    client = Client()
    enter_password(world.ada, client)
    assert is_signed_in(client)
    assert Act.objects.get(kind="people.two_factor").reason == "Seen in person"
