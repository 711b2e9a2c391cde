"""A provider that runs, and a site that offers it."""

from collections.abc import Callable, Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.support.openid_provider import OpenIdProvider
from webapp.base.providers import allauth_settings, read_providers


@pytest.fixture(scope="session")
def _provider_of_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider(tmp_path_factory.mktemp("provider"))
    provider.start()
    yield provider
    provider.stop()


@pytest.fixture
def offer(settings: Settings) -> Callable[..., None]:
    def offer(server_url: str, **changes: object) -> None:
        row = {"id": "uni", "name": "Example University", "server_url": server_url}
        row |= {"client_id": "firebox", "secret": "s", **changes}
        settings.SIGN_IN_PROVIDERS = read_providers("openid_connect", [row])
        settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)

    return offer


@pytest.fixture
def provider(
    _provider_of_session: OpenIdProvider, offer: Callable[..., None], db: None
) -> OpenIdProvider:
    offer(_provider_of_session.url)
    return _provider_of_session


@pytest.fixture
def arrive(provider: OpenIdProvider) -> Callable[..., HttpResponse]:
    """Sign in with the provider as a user; return the page that the site shows then."""

    def arrive(
        subject: str, client: Client | None = None, wanted: str = "", **claims: object
    ) -> HttpResponse:
        browser = client or Client()
        provider.knows(subject, **claims)
        query = {"next": wanted} if wanted else {}
        leaves = browser.get("/accounts/sign-in/with/uni/", query)
        back = provider.sign_in(leaves["Location"], subject)
        response: HttpResponse = browser.get(back.removeprefix("http://testserver"), follow=True)
        return response

    return arrive
