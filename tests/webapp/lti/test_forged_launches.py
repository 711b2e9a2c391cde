"""Launches that were not signed for this site, this browser and this moment: none is let in."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from jwt.algorithms import RSAAlgorithm

from tests.support.linked import register
from tests.support.lti_platform import CLAIM, LtiPlatform
from tests.support.pages import person_of, text_of
from tests.webapp.lti.conftest import begin
from webapp.flow.lti.models import LinkedCourse, Platform
from webapp.people.accounts.models import FormAttempt

pytestmark = pytest.mark.django_db

Forgery = Callable[[LtiPlatform, str], dict[str, str]]


def resigned(
    platform: LtiPlatform, address: str, sign: Callable[[dict[str, Any]], str]
) -> dict[str, str]:
    """Return a launch in which all is right but the signature."""
    form = platform.launch_token(address)
    claims = jwt.decode(form["id_token"], options={"verify_signature": False})
    return {**form, "id_token": sign(claims)}


def with_the_public_key(platform: LtiPlatform, claims: dict[str, Any]) -> str:
    """Sign with HMAC, and as its secret the key that everybody may read."""
    key = platform.public_pem()
    words = [json.dumps({"alg": "HS256", "typ": "JWT", "kid": "one"}), json.dumps(claims)]
    text = b".".join(urlsafe_b64encode(word.encode()).rstrip(b"=") for word in words)
    mac = urlsafe_b64encode(hmac.digest(key, text, "sha256")).rstrip(b"=")
    return (text + b"." + mac).decode()


STRANGERS_KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
STRANGERS_SET: Final = {
    "kid": "one",
    "jku": "https://stranger.example/keys",
    "jwk": RSAAlgorithm.to_jwk(STRANGERS_KEY.public_key(), as_dict=True),
}
"""A header that says where the key is to be found, and has it."""
FORGERIES: dict[str, Forgery] = {
    "another key": lambda platform, address: resigned(
        platform, address, lambda claims: platform.signed(claims, STRANGERS_KEY)
    ),
    "keys that the token brings": lambda platform, address: resigned(
        platform,
        address,
        lambda claims: jwt.encode(claims, STRANGERS_KEY, algorithm="RS256", headers=STRANGERS_SET),
    ),
    "no algorithm": lambda platform, address: resigned(
        platform,
        address,
        lambda claims: jwt.encode(claims, None, algorithm="none", headers={"kid": "one"}),
    ),
    "the public key as a secret": lambda platform, address: resigned(
        platform, address, lambda claims: with_the_public_key(platform, claims)
    ),
    "another nonce": lambda platform, address: platform.launch_token(address, nonce="guessed"),
    "another state": lambda platform, address: {
        **platform.launch_token(address), "state": "state-guessed"
    },
    "another client": lambda platform, address: platform.launch_token(address, aud="other"),
    "another deployment": lambda platform, address: platform.launch_token(
        address, **{CLAIM + "deployment_id": "99"}
    ),
    "too late": lambda platform, address: platform.launch_token(
        address, exp=int(time.time()) - 60
    ),
    "no token": lambda *_: {"id_token": "x.y", "state": "z"},
    "nothing": lambda *_: {},
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_launch_that_was_not_signed_for_this_browser_now_is_refused(
    forgery: str, linked: LinkedCourse, platform: LtiPlatform
) -> None:
    client = Client()
    page = client.post("/lti/launch/", FORGERIES[forgery](platform, begin(platform, client)))
    assert page.status_code == 400
    assert "in a new window" in text_of(page)
    assert person_of(page) is None
    assert FormAttempt.objects.filter(kind="sign_in").count() == 1


def test_a_launch_works_once(linked: LinkedCourse, platform: LtiPlatform) -> None:
    client = Client()
    form = platform.launch_token(begin(platform, client))
    assert client.post("/lti/launch/", form).status_code == 302
    for browser in (client, Client()):
        assert browser.post("/lti/launch/", form).status_code == 400


def test_what_the_platform_signs_again_is_accepted(
    linked: LinkedCourse, platform: LtiPlatform
) -> None:
    """Otherwise the forgeries above would be refused for something else than their signature."""
    client = Client()
    form = resigned(platform, begin(platform, client), platform.signed)
    assert client.post("/lti/launch/", form).status_code == 302


def test_a_nonce_works_once_in_all_browsers(linked: LinkedCourse, platform: LtiPlatform) -> None:
    first, second = Client(), Client()
    address = begin(platform, first)
    assert first.post("/lti/launch/", platform.launch_token(address)).status_code == 302
    (nonce,) = parse_qs(urlsplit(address).query)["nonce"]
    form = platform.launch_token(begin(platform, second), nonce=nonce)
    assert second.post("/lti/launch/", form).status_code == 400


def test_a_platform_signs_for_no_other_platform(
    linked: LinkedCourse, platform: LtiPlatform
) -> None:
    stranger = LtiPlatform()
    stranger.start()
    try:
        register(stranger.url, client_id="stranger", deployment_ids="1", domains="example.org")
        client = Client()
        form = platform.launch_token(begin(platform, client))
        claims = jwt.decode(form["id_token"], options={"verify_signature": False})
        form["id_token"] = stranger.signed(claims)
        assert client.post("/lti/launch/", form).status_code == 400
    finally:
        stranger.stop()


def test_a_platform_that_was_switched_off_launches_nobody(
    linked: LinkedCourse, registered: Platform, platform: LtiPlatform
) -> None:
    client = Client()
    form = platform.launch_token(begin(platform, client))
    Platform.objects.update(is_active=False)
    assert client.post("/lti/launch/", form).status_code == 400
    login = {"iss": platform.url, "client_id": platform.client_id, "login_hint": "1"}
    assert Client().post("/lti/login/", login).status_code == 400
