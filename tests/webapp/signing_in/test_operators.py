"""Operators are never joined by an address: they join a provider from a session of theirs."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from tests.support import world as worlds
from tests.support.pages import person_of, signed_in, text_of
from tests.support.world import World
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification

pytestmark = pytest.mark.django_db

Arrive = Callable[..., Any]
JOIN = "/accounts/sign-in/join/"
OPAL = {"email": "op@example.org", "email_verified": True, "name": "Opal"}


def opal(**rights: bool) -> User:
    user = User.objects.create_user("op@example.org", worlds.PASSWORD, display_name="Opal")
    User.objects.filter(pk=user.pk).update(**rights)
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
@pytest.mark.parametrize("is_confirmed", [False, True])
def test_a_provider_signs_nobody_in_as_an_operator_by_an_address(
    right: str, world: World, arrive: Arrive, *, is_confirmed: bool
) -> None:
    operator = opal(**{right: True})
    if is_confirmed:
        confirm_address(operator)
    page = arrive("op-1", **OPAL)
    assert person_of(page) is None
    assert page.wsgi_request.path == "/accounts/sign-in/operator/"
    assert not SocialAccount.objects.exists()
    assert User.objects.get(pk=operator.pk).check_password(worlds.PASSWORD)


def test_an_identity_that_was_joined_before_the_account_got_rights_does_not_sign_in(
    world: World, arrive: Arrive
) -> None:
    operator = opal()
    assert person_of(arrive("op-1", **OPAL)) == operator
    User.objects.filter(pk=operator.pk).update(is_superuser=True)
    assert person_of(arrive("op-1", **OPAL)) is None


def test_an_operator_joins_a_provider_with_the_password_and_is_told_by_mail(
    world: World, arrive: Arrive
) -> None:
    operator, browser = opal(is_superuser=True, is_staff=True), Client()
    page = arrive("op-1", browser, **OPAL)
    credentials = {"username": operator.email, "password": worlds.PASSWORD, "next": JOIN}
    page = browser.post("/accounts/sign-in/operator/", credentials, follow=True)
    assert "Let Example University sign you in?" in text_of(page)
    asked = browser.post(JOIN, follow=True)
    assert asked.wsgi_request.path == "/accounts/confirm/"
    assert not SocialAccount.objects.exists()
    browser.post(asked.wsgi_request.get_full_path(), {"password": worlds.PASSWORD})
    assert SocialAccount.objects.get().user == operator
    letter = Notification.objects.get(user=operator)
    assert letter.subject == "Example University can sign in to your account"
    assert Act.objects.get(kind="people.identity").person == operator
    assert person_of(arrive("op-1", **OPAL)) == operator


def test_nobody_else_joins_an_operators_identity(world: World, arrive: Arrive) -> None:
    opal(is_superuser=True)
    browser = Client()
    arrive("op-1", browser, **OPAL)
    sign_in = {"username": "ada@example.org", "password": worlds.PASSWORD, "next": JOIN}
    browser.post("/accounts/sign-in/", sign_in)
    asked = browser.post(JOIN, follow=True)
    said = browser.post(
        asked.wsgi_request.get_full_path(), {"password": worlds.PASSWORD}, follow=True
    )
    assert "which is not the address of this account" in text_of(said)
    assert not SocialAccount.objects.exists()


def test_without_an_identity_there_is_nothing_to_join(world: World) -> None:
    assert Client().get(JOIN)["Location"] == "/accounts/sign-in/operator/"
    client = signed_in(world.ada)
    assert client.post(JOIN)["Location"] == "/accounts/profile/"
