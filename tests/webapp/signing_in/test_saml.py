"""Signing in with a SAML identity provider whose responses are signed by a real key."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.support.pages import person_of, text_of
from tests.support.saml_provider import SamlProvider
from tests.support.world import World
from webapp.base.providers import allauth_settings, read_providers
from webapp.people.accounts.models import FormAttempt, User

pytestmark = pytest.mark.django_db

SITE = "http://firebox.uni.example"
ACS = "/accounts/sign-in/saml/uni/acs/"
ADA = {"subject": "ada@uni.example", "mail": "ada@example.org", "name": "Ada Lovelace"}
Answer = Callable[..., Any]


@pytest.fixture(scope="module")
def saml() -> SamlProvider:
    """The provider; its key takes a while to make."""
    return SamlProvider()


@pytest.fixture(autouse=True)
def _offered(settings: Settings, saml: SamlProvider) -> None:
    settings.ALLOWED_HOSTS = ["firebox.uni.example"]
    row = {
        "id": "uni",
        "name": "Example University",
        "entity_id": saml.entity_id,
        "sso_url": saml.sso_url,
        "certificate": saml.certificate,
        "domains": ["example.org"],
    }
    settings.SIGN_IN_PROVIDERS = read_providers("saml", [row])
    settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)


def browser() -> Client:
    return Client(headers={"host": "firebox.uni.example"})


def leave(client: Client, wanted: str = "") -> str:
    """Follow the button; return the provider's address with the request."""
    answer = client.get("/accounts/sign-in/saml/uni/", {"next": wanted} if wanted else {})
    return str(answer["Location"])


def bring(client: Client, response: str) -> Any:
    return client.post(ACS, {"SAMLResponse": response}, follow=True)


def test_an_address_of_the_providers_domain_signs_in_to_its_account(
    world: World, saml: SamlProvider
) -> None:
    client = browser()
    response = saml.respond(leave(client, "/accounts/profile/"), **ADA)
    page = bring(client, response)
    assert person_of(page) == world.ada
    assert page.wsgi_request.path == "/accounts/profile/"
    again = browser()
    page = bring(again, saml.respond(leave(again), **ADA | {"mail": "ben@example.org"}))
    assert person_of(page) == world.ada


def test_an_address_of_another_domain_takes_over_no_account(
    world: World, saml: SamlProvider
) -> None:
    User.objects.filter(pk=world.ada.pk).update(email="ada@elsewhere.example")
    client = browser()
    page = bring(client, saml.respond(leave(client), **ADA | {"mail": "ada@elsewhere.example"}))
    assert page.status_code == 403
    assert "does not say that ada@elsewhere.example is your address" in text_of(page)


def test_without_an_account_the_name_is_filled_in(world: World, saml: SamlProvider) -> None:
    client = browser()
    eve = {"subject": "e1", "mail": "eve@example.org", "name": "Eve Moneypenny"}
    page = bring(client, saml.respond(leave(client), **eve))
    assert page.wsgi_request.path == "/accounts/register/with-provider/"
    assert 'value="Eve Moneypenny"' in text_of(page)


def changed(response: str) -> str:
    text = b64decode(response).decode().replace("ada@example.org", "ida@example.org")
    return b64encode(text.encode()).decode()


FORGERIES: dict[str, Callable[[SamlProvider, str], str]] = {
    "unsigned": lambda saml, address: saml.respond(address, is_signed=False, **ADA),
    "changed": lambda saml, address: changed(saml.respond(address, **ADA)),
    "signed by another key": lambda _, address: SamlProvider().respond(address, **ADA),
    "too late": lambda saml, address: saml.respond(address, minutes=-6, **ADA),
    "for another site": lambda saml, address: saml.respond(address, audience="x", **ADA),
    "nobody asked": lambda saml, address: saml.respond(address, is_asked_for=False, **ADA),
    "no XML": lambda *_: "bm90IFhNTA==",
    "no base64": lambda *_: "%%%",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_an_assertion_not_signed_for_us_now_is_refused(
    forgery: str, world: World, saml: SamlProvider
) -> None:
    client = browser()
    page = bring(client, FORGERIES[forgery](saml, leave(client)))
    assert page.status_code == 401
    assert "did not confirm who you are" in text_of(page)
    assert person_of(page) is None
    assert FormAttempt.objects.filter(kind="sign_in").count() == 1


def test_a_response_works_once_and_in_one_browser(world: World, saml: SamlProvider) -> None:
    client = browser()
    response = saml.respond(leave(client), **ADA)
    assert person_of(bring(browser(), response)) is None
    assert person_of(bring(client, response)) == world.ada
    client.post("/accounts/sign-out/")
    assert person_of(bring(client, response)) is None


def test_the_provider_can_read_what_it_must_know_of_this_site(db: None) -> None:
    page = browser().get("/accounts/sign-in/saml/uni/metadata/")
    assert f'Location="{SITE}{ACS}"' in page.content.decode()
    assert browser().get("/accounts/sign-in/saml/x/metadata/").status_code == 404
