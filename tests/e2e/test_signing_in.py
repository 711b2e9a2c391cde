"""Pages of signing in by providers, as a browser shows them."""

from collections.abc import Callable

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import world as worlds
from tests.support.browsing import resize
from tests.support.looking import look, views_of
from webapp.base.providers import allauth_settings, read_providers
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

NAMES = ("Example University", "Technische Hochschule Mittelfranken an der Donau")
PAGES = ("/accounts/sign-in/?next=/courses/coop/", "/accounts/register/")


@pytest.fixture
def providers(settings: Settings) -> None:
    rows = [
        {"id": f"p{number}", "name": name, "server_url": "https://idp.example", "client_id": "x",
         "secret": "y"}
        for number, name in enumerate(NAMES)
    ]  # fmt: skip
    settings.SIGN_IN_PROVIDERS = read_providers("openid_connect", rows)
    settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)


def test_every_page_is_accessible_and_fits(
    browser: Chrome,
    site: LiveServer,
    sign_in: Callable[[User | None], None],
    providers: None,
) -> None:
    sign_in(None)
    faults = []
    for number, address in enumerate(PAGES):
        faults += [
            f"{address}: {text}" for text in look(browser, site.url + address, views_of(number))
        ]
    assert faults == []


def test_on_a_phone_the_masthead_takes_two_rows_however_long_a_name_is(
    browser: Chrome, site: LiveServer, sign_in: Callable[[User | None], None]
) -> None:
    sign_in(worlds.person("Augusta Ada Byron, Countess of Lovelace"))
    resize(browser, 375, 700)
    browser.get(f"{site.url}/guide/")
    tops = browser.execute_script(
        "return [...document.querySelectorAll('.masthead :is(.brand, li)')]"
        ".map((each) => Math.round(each.getBoundingClientRect().top / 20))"
    )
    assert len(set(tops)) == 2
    assert browser.execute_script("return document.documentElement.scrollWidth") == 375
