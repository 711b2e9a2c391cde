"""Ways into a course: a platform's link, a university's SAML, a password with a second factor."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, enter, follow, one, press, text, until
from tests.support.linked import register
from tests.support.lti_platform import CLAIM, TEACHER, LtiPlatform
from tests.support.pages import ASSIGNMENT, COURSE
from tests.support.saml_provider import ServedSamlProvider
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.base.providers import allauth_settings, read_providers
from webapp.flow.lti.models import LinkedCourse
from webapp.flow.lti.platforms import public_keys
from webapp.flow.lti.scores import send_due
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(site: LiveServer, transactional_db: None, settings: Settings) -> Iterator[World]:
    """Ada has a grade. Launches and codes are kept in the cache, which is emptied."""
    settings.SITE_URL = site.url
    cache.clear()
    yield copy_of(worlds.make_graded)
    cache.clear()


@pytest.fixture
def platform(world: World) -> Iterator[LtiPlatform]:
    """A platform on which Ida teaches and Ada learns; this site knows it."""
    platform = LtiPlatform()
    platform.start()
    register(
        platform.url,
        client_id=platform.client_id,
        deployment_ids=platform.deployment_id,
        domains="example.org",
    )
    platform.tool_keys = lambda: {"keys": public_keys()}
    for user, roles in ((world.ida, {CLAIM + "roles": [TEACHER]}), (world.ada, {})):
        confirm_address(user)
        name = user.email.partition("@")[0]
        platform.people[name] = {"sub": name, "email": user.email, **roles}
    yield platform
    platform.stop()


def test_a_platform_opens_the_course_takes_a_link_and_gets_points(
    browser: Chrome, site: LiveServer, sign_in: SignIn, world: World, platform: LtiPlatform
) -> None:
    def come(name: str, **claims: Any) -> None:
        sign_in(None)
        platform.people[name] |= claims
        browser.get(platform.course_page(site.url, name))
        follow(browser, By.LINK_TEXT, "Games")
        until(browser, lambda: "Continue" in text(browser))
        press(browser, "Continue")

    # Ida comes from her course there, and says once which course it opens here.
    come("ida")
    until(browser, lambda: "Link your course" in text(browser))
    press(browser, "Link this course", then=world.course.title)
    assert LinkedCourse.objects.get().linked_by == world.ida

    # She adds the assignment to it; Ada opens that link, is signed in, and finds the assignment.
    ordinary = dict(platform.people["ida"])
    come("ida", **platform.deep_link_claims())
    until(browser, lambda: "Add an assignment" in text(browser))
    press(browser, "Choose assignment", then="with a column for its points")
    press(browser, "Add it to Moodle", then="The link was added.")
    (link,) = platform.links
    come("ada", **{CLAIM + "custom": link["custom"]})
    until(browser, lambda: browser.current_url == site.url + ASSIGNMENT)
    assert world.assignment.title in text(browser)

    # Her points go there once Ida sends them.
    platform.people["ida"] = ordinary
    come("ida")
    until(browser, lambda: world.course.title in text(browser))
    browser.get(site.url + ASSIGNMENT + "platforms/")
    press(browser, "Send points now", then="Points of 1 student are being sent.")
    assert send_due(at=timezone.now()) == 1
    assert [sent["userId"] for sent in platform.scores] == ["ada"]


@pytest.fixture
def university(world: World, settings: Settings) -> Iterator[ServedSamlProvider]:
    """A provider that vouches for addresses at example.org; Ada and a stranger sign in there."""
    provider = ServedSamlProvider(
        {
            "Ada": {"subject": "ada@uni", "mail": world.ada.email, "name": "A. A. Lovelace"},
            "Eve": {"subject": "eve@uni", "mail": "eve@elsewhere.example", "name": "Eve"},
        }
    )
    provider.start()
    row = {
        "id": "uni",
        "name": "Example University",
        "entity_id": provider.entity_id,
        "sso_url": provider.sso_url,
        "certificate": provider.certificate,
        "domains": ["example.org"],
    }
    settings.SIGN_IN_PROVIDERS = read_providers("saml", [row])
    settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)
    yield provider
    provider.stop()


def test_a_university_signs_ada_in_to_the_account_with_her_address(
    browser: Chrome, site: LiveServer, sign_in: SignIn, world: World, university: ServedSamlProvider
) -> None:
    def come(name: str) -> None:
        browser.get(site.url + COURSE)
        assert "Sign in to open that page." in text(browser)
        follow(browser, By.LINK_TEXT, "Sign in with Example University")
        until(browser, lambda: browser.current_url.startswith(university.sso_url))
        press(browser, name)

    # Ada arrives where she wanted to go, in the account that she had: no other is made.
    sign_in(None)
    people = User.objects.count()
    come("Ada")
    until(browser, lambda: world.course.title in text(browser))
    assert browser.current_url == site.url + COURSE
    assert User.objects.count() == people
    browser.get(site.url + "/accounts/profile/")
    until(browser, lambda: world.ada.email in browser.page_source)

    # She signs out, and the site asks again; the next time it knows her.
    follow(browser, By.CSS_SELECTOR, "header form button")
    assert not browser.find_elements(By.LINK_TEXT, "Ada Lovelace")
    come("Ada")
    until(browser, lambda: world.course.title in text(browser))

    # An address that the university does not vouch for opens no account.
    sign_in(None)
    come("Eve")
    until(browser, lambda: browser.current_url.startswith(site.url))
    browser.get(site.url + COURSE)
    assert "Sign in to open that page." in text(browser)


def test_a_password_and_a_code_let_ida_in(
    browser: Chrome, site: LiveServer, sign_in: SignIn, world: World
) -> None:
    def code(secret: str) -> str:
        return format_hotp_value(hotp_value(secret, int(time.time()) // 30))

    def enter_password() -> None:
        enter(browser, username=world.ida.email, password=worlds.PASSWORD)
        press(browser, "Sign in")

    # Ida sets it up from her profile, and keeps the recovery codes.
    sign_in(None, COURSE + "people/")
    enter_password()
    until(browser, lambda: "Ada Lovelace" in text(browser))
    browser.get(site.url + "/accounts/profile/")
    follow(browser, By.LINK_TEXT, "Second factor")
    follow(browser, By.LINK_TEXT, "Set up the second factor")
    until(browser, lambda: "Confirm that it is you" in text(browser))
    enter(browser, password=worlds.PASSWORD)
    press(browser, "Confirm", then="Enter the code that the app then shows")
    secret = one(browser, "code.secret").text
    enter(browser, code=code(secret))
    press(browser, "Turn on the second factor", then="10 of 10 codes are left.")
    recovery = one(browser, "ul.codes code").text

    # The password alone leads no further; a wrong code says so, a recovery code lets her in.
    sign_in(None, COURSE + "people/")
    enter_password()
    until(browser, lambda: "One more step" in text(browser))
    browser.get(site.url + COURSE + "people/")
    assert "Sign in to open that page." in text(browser)
    enter_password()
    until(browser, lambda: "One more step" in text(browser))
    enter(browser, code="000000")
    press(browser, "Sign in", then="Incorrect code")
    enter(browser, code=recovery)
    press(browser, "Sign in", then="Ada Lovelace")
