"""Forms that a network may not send without end, whatever names it uses."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from webapp.accounts.ceilings import CEILINGS
from webapp.accounts.models import Attempt, User

pytestmark = pytest.mark.django_db

Post = Callable[..., int]
PATHS = {
    "accounts:sign_in": "/accounts/sign-in/",
    "admin:login": "/admin/login/",
    "accounts:register": "/accounts/register/",
    "accounts:password_reset": "/accounts/password/reset/",
}


def post(name: str, number: int, *, address: str = "192.0.2.1") -> int:
    """Send a form as somebody new."""
    data = {
        "username": f"x{number}@uni.example", "password": "wrong", "email": f"x{number}@uni.example"
    }  # fmt: skip
    return Client().post(PATHS[name], data, REMOTE_ADDR=address).status_code


def fill(name: str, *, address: str = "192.0.2.1", age: timedelta = timedelta()) -> None:
    """As many attempts as are allowed."""
    ceiling, at = CEILINGS[name], timezone.now() - age
    Attempt.objects.bulk_create(
        Attempt(kind=ceiling.kind, address=address, at=at) for _ in range(ceiling.most)
    )


@pytest.mark.parametrize("name", CEILINGS)
def test_beyond_the_ceiling_a_form_is_turned_away(name: str) -> None:
    fill(name)
    assert post(name, 1) == 429
    assert post(name, 1, address="192.0.2.2") in {200, 302}
    assert Client().get(PATHS[name], REMOTE_ADDR="192.0.2.1").status_code == 200


@pytest.mark.parametrize("name", CEILINGS)
def test_every_form_counts_and_none_for_ever(name: str) -> None:
    ceiling = CEILINGS[name]
    fill(name, age=ceiling.within + timedelta(seconds=1))
    assert post(name, 1) in {200, 302}
    assert Attempt.objects.filter(kind=ceiling.kind).count() == 1


def test_signing_in_rightly_does_not_count(ada: User) -> None:
    ada.set_password("fireworks at midnight")
    ada.save()
    data = {"username": ada.email, "password": "fireworks at midnight"}
    assert Client().post("/accounts/sign-in/", data).status_code == 302
    assert not Attempt.objects.exists()


def test_it_is_said_how_long_to_wait() -> None:
    fill("accounts:sign_in", age=timedelta(minutes=5))
    page = Client().post("/accounts/sign-in/", {}, REMOTE_ADDR="192.0.2.1").content.decode()
    assert "Try again in 10 minutes" in page
