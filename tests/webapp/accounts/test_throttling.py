"""Guessing passwords: whose failures are counted together, and what follows."""

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from webapp.people.accounts.models import User
from webapp.people.accounts.throttling import client_address

pytestmark = pytest.mark.slow

PASSWORD = "fireworks at midnight"
SIGN_IN = "/accounts/sign-in/operator/"


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("op@uni.example", PASSWORD, display_name="Op")


def sign_in(client: Client, password: str, *, email: str = "op@uni.example") -> HttpResponse:
    response = client.post(SIGN_IN, {"username": email, "password": password})
    assert isinstance(response, HttpResponse)
    return response


def fail(client: Client, times: int) -> HttpResponse:
    for number in range(times):
        response = sign_in(
            client, "wrong", email="OP@uni.example" if number % 2 else "op@uni.example"
        )
    return response


def test_after_ten_failures_even_the_right_password_is_refused(
    client: Client, operator: User, settings: Settings
) -> None:
    assert fail(client, settings.AXES_FAILURE_LIMIT - 1).status_code == 200
    assert fail(client, 1).status_code == 429
    assert sign_in(client, PASSWORD).status_code == 429


def test_other_accounts_and_other_networks_are_not_locked(
    client: Client, operator: User, settings: Settings
) -> None:
    User.objects.create_superuser("two@uni.example", PASSWORD, display_name="Two")
    fail(client, settings.AXES_FAILURE_LIMIT)
    assert sign_in(client, PASSWORD, email="two@uni.example").status_code == 302
    assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), PASSWORD).status_code == 302


def test_success_forgives_earlier_failures(
    client: Client, operator: User, settings: Settings
) -> None:
    fail(client, settings.AXES_FAILURE_LIMIT - 1)
    assert sign_in(client, PASSWORD).status_code == 302
    client.logout()
    assert fail(client, settings.AXES_FAILURE_LIMIT - 1).status_code == 200


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "forged, 203.0.113.9", "203.0.113.9"),
        (2, "forged, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_what_our_proxies_wrote_is_believed(
    settings: Settings, proxies: int, forwarded: str, address: str
) -> None:
    settings.PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded}
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers=headers)
    assert client_address(request) == address
