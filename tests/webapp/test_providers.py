"""Reading the operators' settings about sign-in providers."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.support.every import every
from webapp.base.providers import allauth_settings, read_providers

GOOD = {
    "id": "uni",
    "name": "Example University",
    "server_url": "https://login.example.edu",
    "client_id": "firebox",
    "secret": "s",
}


def test_a_provider_is_read_and_handed_to_the_library() -> None:
    (provider,) = read_providers("openid_connect", [GOOD | {"domains": ["@Example.edu"]}])
    assert provider.trusts("ADA@EXAMPLE.EDU")
    assert not provider.trusts("ada@sub.example.edu")
    (app,) = allauth_settings([provider])["openid_connect"]["APPS"]
    assert app["client_id"] == "firebox"
    assert app["settings"]["server_url"] == "https://login.example.edu"


@every(
    ("change", "said"),
    [
        ({"secret": ""}, "'secret' must be a text"),
        ({"id": "Uni of X"}, "'id' must be of lower-case letters"),
        ({"server_url": "http://login.example.edu"}, "must begin with https://"),
        ({"domains": "example.edu"}, "'domains' must be a list"),
        ({"client_secret": "s"}, "unknown key 'client_secret'"),
    ],
)
def test_a_wrong_setting_stops_the_start_and_is_named(change: dict[str, object], said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        read_providers("openid_connect", [GOOD | change])


def test_two_providers_need_two_ids() -> None:
    with pytest.raises(ImproperlyConfigured, match="the same id"):
        read_providers("openid_connect", [GOOD, GOOD])
    with pytest.raises(ImproperlyConfigured, match="JSON list"):
        read_providers("openid_connect", GOOD)
