"""Pages of signing in by providers, as a browser shows them."""

from collections.abc import Callable

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support.looking import look, views_of
from webapp.accounts.models import User
from webapp.providers import allauth_settings, read_providers

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
