"""Pages of signing in and of learning platforms, as a browser shows them."""

from collections.abc import Callable

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import world as worlds
from tests.support.looking import look, views_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.accounts.models import User
from webapp.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.providers import allauth_settings, read_providers

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

NAMES = ("Example University", "Technische Hochschule Mittelfranken an der Donau")
ASSIGNMENT = "/courses/coop/assignments/hanabi/"


@pytest.fixture
def providers(settings: Settings) -> None:
    rows = [
        {"id": f"p{number}", "name": name, "server_url": "https://idp.example", "client_id": "x",
         "secret": "y"}
        for number, name in enumerate(NAMES)
    ]  # fmt: skip
    settings.SIGN_IN_PROVIDERS = read_providers("openid_connect", rows)
    settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)


def link_platform(world: World) -> None:
    """Link the course with a platform that did not take two students' points."""
    platform = Platform.objects.create(
        name="Moodle",
        issuer="https://moodle.example",
        client_id="c",
        deployment_ids="1",
        auth_login_url="https://moodle.example/auth",
        token_url="https://moodle.example/token",
        keys_url="https://moodle.example/keys",
    )
    linked = LinkedCourse.objects.create(
        platform=platform,
        deployment_id="1",
        context_id="1",
        title="Multi-agent games, winter",
        course=world.course,
        linked_by=world.ida,
    )
    link = LinkedAssignment.objects.create(
        linked_course=linked,
        resource_link_id="1",
        assignment=world.assignment,
        lineitem_url="https://moodle.example/columns/1",
    )
    for user in (world.ada, world.ben):
        Score.objects.create(
            link=link,
            user=user,
            points=81,
            maximum=100,
            state=Score.State.FAILED,
            due_at=timezone.now(),
            error="answered 404: {'error': 'no user with this id in the course'}",
        )


def pages(world: World) -> list[tuple[User | None, str]]:
    return [
        (None, "/accounts/sign-in/?next=/courses/coop/"),
        (None, "/accounts/register/"),
        (world.ben, "/accounts/two-factor/"),
        (world.ben, "/accounts/two-factor/app/remove/"),
        (world.ida, "/accounts/confirm/"),
        (world.ida, "/courses/coop/platforms/"),
        (world.ida, ASSIGNMENT + "platforms/"),
    ]


def test_every_page_is_accessible_and_fits(
    browser: Chrome,
    site: LiveServer,
    sign_in: Callable[[User | None], None],
    providers: None,
) -> None:
    world = copy_of(worlds.make)
    link_platform(world)
    TOTP.activate(world.ben, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(world.ben)
    faults = []
    for number, (reader, address) in enumerate(pages(world)):
        sign_in(reader)
        faults += [
            f"{address}: {text}" for text in look(browser, site.url + address, views_of(number))
        ]
    assert faults == []
