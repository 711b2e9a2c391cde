"""Rate limits by network: forms are turned away, whatever names they use."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.pages import text_of
from webapp.people.accounts.models import FormAttempt, User
from webapp.people.accounts.rate_limits import RATE_LIMITS
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.django_db

Post = Callable[..., int]
PATHS = {
    "accounts:sign_in": "/accounts/sign-in/",
    "accounts:operator_sign_in": "/accounts/sign-in/operator/",
    "accounts:register": "/accounts/register/",
    "accounts:password_reset": "/accounts/password/reset/",
    "playing:visitor_new": "/play/",
}


def post(name: str, number: int, *, address: str = "192.0.2.1") -> int:
    data = {
        "username": f"x{number}@uni.example", "password": "wrong", "email": f"x{number}@uni.example"
    }  # fmt: skip
    return Client().post(PATHS[name], data, REMOTE_ADDR=address).status_code


def fill(name: str, *, address: str = "192.0.2.1", age: timedelta = timedelta()) -> None:
    limit, at = RATE_LIMITS[name], timezone.now() - age
    FormAttempt.objects.bulk_create(
        FormAttempt(kind=limit.kind, network=address, at=at) for _ in range(limit.max_attempts)
    )


def known_browser(user: User) -> Client:
    browser = Client(REMOTE_ADDR="192.0.2.1")
    user.set_password("fireworks at midnight")
    user.save()
    data = {"username": user.email, "password": "fireworks at midnight"}
    browser.post("/accounts/sign-in/", data)
    del browser.cookies["sessionid"]
    return browser


@pytest.mark.parametrize("name", PATHS)
def test_beyond_the_limit_a_form_is_turned_away(name: str) -> None:
    fill(name)
    assert post(name, 1) == 429
    assert post(name, 1, address="192.0.2.2") in {200, 302}
    assert Client().get(PATHS[name], REMOTE_ADDR="192.0.2.1").status_code == 200


@pytest.mark.parametrize("name", PATHS)
def test_every_forms_attempts_are_counted_within_a_window(name: str) -> None:
    limit = RATE_LIMITS[name]
    fill(name, age=limit.window + timedelta(seconds=1))
    assert post(name, 1) in {200, 302}
    assert FormAttempt.objects.filter(kind=limit.kind).count() == 1


@pytest.mark.parametrize(
    "name", ["accounts:sign_in", "accounts:operator_sign_in", "accounts:password_reset"]
)
def test_a_browser_that_has_signed_in_before_is_let_through(name: str, ada: User) -> None:
    browser = known_browser(ada)
    assert ada.email not in str(browser.cookies)
    fill(name)

    def status_for(email: str) -> int:
        data = {"username": email, "email": email, "password": "fireworks at midnight"}
        return browser.post(PATHS[name], data).status_code

    assert status_for("ben@uni.example") == 429
    assert status_for(ada.email.upper()) != 429


@pytest.mark.parametrize("name", ["accounts:register", "accounts:password_reset"])
def test_signing_in_to_one_account_does_not_lift_the_limit_for_others(name: str, ada: User) -> None:
    browser = known_browser(ada)
    fill(name)
    data = {"username": ada.email, "email": "ben@uni.example"}
    assert browser.post(PATHS[name], data).status_code == 429


def test_addresses_of_one_ipv6_network_count_together() -> None:
    fill("accounts:sign_in", address="2001:db8:1:2::")
    assert post("accounts:sign_in", 1, address="2001:db8:1:2:aaaa::1") == 429
    assert post("accounts:sign_in", 1, address="2001:db8:1:3::1") == 200


def test_a_course_can_register_and_sign_in_from_one_room(course: Course) -> None:
    for number in range(3):
        register = {
            "email": f"x{number}@uni.example", "display_name": f"Student {number}",
            "password": "fireworks at midnight", "invite_code": course.invite_code,
        }  # fmt: skip
        assert Client().post(PATHS["accounts:register"], register).status_code == 302
        known = {"username": register["email"], "password": register["password"]}
        assert Client().post("/accounts/sign-in/", known).status_code == 302
    assert not FormAttempt.objects.exists()


def test_a_refusal_says_how_long_to_wait() -> None:
    fill("accounts:sign_in", age=timedelta(minutes=5))
    page = text_of(Client().post("/accounts/sign-in/", {}, REMOTE_ADDR="192.0.2.1"))
    assert "Try again in 10 minutes" in page
