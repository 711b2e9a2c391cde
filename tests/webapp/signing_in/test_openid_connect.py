"""Signing in with a real OpenID Connect provider: who is admitted, as whom, and who is refused."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.openid_provider import OpenIdProvider
from tests.support.pages import person_of, signed_in, text_of
from tests.support.world import World
from webapp.people.accounts import rate_limits
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import AccessToken, FormAttempt, User
from webapp.people.accounts.tokens import create_token, user_of_token
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course, EnrolmentState

pytestmark = pytest.mark.django_db

Arrive = Callable[..., Any]
ADA = {"email": "Ada@example.org", "email_verified": True, "name": "Ada Lovelace"}
EVE = {"email": "eve@example.org", "email_verified": True, "name": "Eve Moneypenny"}


def test_a_verified_address_signs_in_to_its_account(world: World, arrive: Arrive) -> None:
    confirm_address(world.ada)
    page = arrive("ada-1", **ADA)
    assert person_of(page) == world.ada
    assert "Example University signs you in to this account." in text_of(page)
    assert "removed" not in text_of(page)
    (act,) = Act.objects.filter(kind="people.identity")
    assert (act.by, act.person) == (world.ada, world.ada)


def test_the_second_time_the_subject_counts_and_not_the_address(
    world: World, arrive: Arrive
) -> None:
    arrive("ada-2", **ADA)
    page = arrive("ada-2", **ADA | {"email": "ben@example.org"})
    assert person_of(page) == world.ada
    assert SocialAccount.objects.get().extra_data == {}


def test_the_page_that_was_wanted_is_shown(world: World, arrive: Arrive) -> None:
    page = arrive("ada-3", wanted="/accounts/profile/", **ADA)
    assert page.wsgi_request.path == "/accounts/profile/"
    assert "You sign in with Example University." in text_of(page)


def test_sign_in_never_redirects_to_another_site(world: World, arrive: Arrive) -> None:
    page = arrive("ada-4", wanted="https://attacker.example/", **ADA)
    assert page.wsgi_request.path == "/"


@pytest.mark.parametrize("stated", [False, "false", "", None, "absent"])
def test_an_unverified_address_takes_over_no_account(
    stated: object, world: World, arrive: Arrive
) -> None:
    claims = {"email": "ada@example.org", "name": "Mallory"}
    page = arrive("mallory", **claims | ({} if stated == "absent" else {"email_verified": stated}))
    assert page.status_code == 403
    assert "does not say that ada@example.org is your address" in text_of(page)
    assert person_of(page) is None
    assert not SocialAccount.objects.exists()


def test_an_unverified_address_makes_no_account_either(world: World, arrive: Arrive) -> None:
    page = arrive("mallory", email="new@example.org", email_verified=False)
    assert page.status_code == 403
    assert not User.objects.filter(email="new@example.org").exists()


def test_without_an_address_the_page_says_whom_to_ask(world: World, arrive: Arrive) -> None:
    page = arrive("nobody-1", email=None, email_verified=True)
    assert "did not tell us your e-mail address" in text_of(page)


def test_a_domain_of_the_providers_own_vouches_unless_the_provider_denies_it(
    world: World, provider: OpenIdProvider, arrive: Arrive, offer: Callable[..., None]
) -> None:
    offer(provider.url, domains=["Example.org"])
    denied = arrive("ada-5", email="ada@example.org", email_verified=False)
    assert person_of(denied) is None
    assert person_of(arrive("ada-5", email="ada@example.org")) == world.ada


def test_a_trusted_domain_vouches_for_no_other(
    world: World, provider: OpenIdProvider, arrive: Arrive, offer: Callable[..., None]
) -> None:
    offer(provider.url, domains=["ample.org", "example.org.attacker.example"])
    assert arrive("ada-6", email="ada@example.org").status_code == 403


def test_a_first_sign_in_by_provider_removes_password_tokens_and_sessions(
    world: World, arrive: Arrive
) -> None:
    attacker = signed_in(world.ada)
    token = create_token(user=world.ada, name="script", at=timezone.now())
    page = arrive("ada-7", **ADA)
    assert person_of(page) == world.ada
    assert "its password, access tokens and other sessions were removed" in text_of(page)
    world.ada.refresh_from_db()
    assert not world.ada.has_usable_password()
    assert user_of_token(token, at=timezone.now()) is None
    assert attacker.get("/accounts/profile/").status_code == 302


def test_a_confirmed_account_and_an_operators_keep_their_passwords(
    world: World, arrive: Arrive
) -> None:
    confirm_address(world.ada)
    operator = User.objects.create_superuser(
        "op@example.org", worlds.PASSWORD, display_name="Opal Operator"
    )
    arrive("ada-8", **ADA)
    arrive("op-1", email="op@example.org", email_verified=True)
    for user in (world.ada, operator):
        user.refresh_from_db()
        assert user.check_password(worlds.PASSWORD)


def test_an_account_that_is_switched_off_stays_so(world: World, arrive: Arrive) -> None:
    User.objects.filter(pk=world.ada.pk).update(is_active=False)
    page = arrive("ada-9", **ADA)
    assert page.status_code == 403
    assert "This account has been switched off" in text_of(page)
    assert person_of(page) is None


def test_a_removed_person_is_not_enrolled_by_signing_in(world: World, arrive: Arrive) -> None:
    world.course.enrolments.filter(user=world.ada).update(state=EnrolmentState.REMOVED)
    page = arrive("ada-10", wanted="/courses/coop/", **ADA)
    assert person_of(page) == world.ada
    assert page.status_code == 404


def test_without_an_account_the_invite_code_makes_one(world: World, arrive: Arrive) -> None:
    browser = Client()
    page = arrive("eve-1", browser, **EVE)
    assert "Your first time here" in text_of(page)
    assert 'value="Eve Moneypenny"' in text_of(page)
    address = "/accounts/register/with-provider/"
    wrong = browser.post(address, {"display_name": "Eve", "invite_code": "NOSUCHCODE"})
    assert "No course has this invite code" in text_of(wrong)
    assert not User.objects.filter(email="eve@example.org").exists()
    data = {"display_name": "Eve Moneypenny", "invite_code": world.course.invite_code}
    page = browser.post(address, data, follow=True)
    assert "Welcome, Eve Moneypenny. You are enrolled." in text_of(page)
    eve = User.objects.get(email="eve@example.org")
    assert not eve.has_usable_password()
    assert EmailAddress.objects.get(user=eve).verified
    assert person_of(arrive("eve-1", **EVE)) == eve


def test_a_full_course_makes_no_account(world: World, arrive: Arrive) -> None:
    Course.objects.update(places=1)
    browser = Client()
    arrive("eve-2", browser, **EVE)
    data = {"display_name": "Eve", "invite_code": world.course.invite_code}
    page = browser.post("/accounts/register/with-provider/", data)
    assert "This course is full" in text_of(page)
    assert not User.objects.filter(email="eve@example.org").exists()
    assert not SocialAccount.objects.exists()


def test_an_identity_without_a_provider_cannot_register(world: World) -> None:
    data = {"display_name": "Eve", "invite_code": world.course.invite_code}
    response = Client().post("/accounts/register/with-provider/", data)
    assert response["Location"] == "/accounts/sign-in/"
    assert not User.objects.filter(display_name="Eve").exists()


def test_an_invited_person_signs_in_at_once(world: World, arrive: Arrive) -> None:
    invited = User.objects.create_user("eve@example.org", display_name="Eve")
    page = arrive("eve-3", **EVE)
    assert person_of(page) == invited


def test_an_answer_that_nobody_requested_signs_nobody_in_and_is_counted(
    world: World, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    address = "/accounts/sign-in/with/uni/callback/?code=forged&state=forged"
    page = browser.get(address)
    assert page.status_code == 401
    assert "Example University did not confirm who you are" in text_of(page)
    assert FormAttempt.objects.filter(kind=FormAttempt.Kind.SIGN_IN).count() == 1
    now = timezone.now()
    FormAttempt.objects.bulk_create(
        FormAttempt(kind="sign_in", network="127.0.0.1", at=now - timedelta(minutes=1))
        for _ in range(rate_limits.RATE_LIMITS["openid_connect_callback"].max_attempts)
    )
    assert browser.get(address).status_code == 429


def test_a_stolen_code_is_of_no_use_in_another_browser(
    world: World, provider: OpenIdProvider
) -> None:
    provider.knows("ada-11", **ADA)
    leaves = Client().get("/accounts/sign-in/with/uni/")
    back = provider.sign_in(leaves["Location"], "ada-11").removeprefix("http://testserver")
    assert Client().get(back).status_code == 401
    assert not SocialAccount.objects.exists()


def test_a_cancelled_sign_in_leads_back(world: World, provider: OpenIdProvider) -> None:
    browser = Client()
    leaves = browser.get("/accounts/sign-in/with/uni/")
    back = provider.cancel(leaves["Location"]).removeprefix("http://testserver")
    page = browser.get(back, follow=True)
    assert "You did not sign in." in text_of(page)
    assert page.wsgi_request.path == "/accounts/sign-in/"


def test_a_provider_that_does_not_answer_is_named(db: None, offer: Callable[..., None]) -> None:
    offer("http://127.0.0.1:9")
    page = Client().get("/accounts/sign-in/with/uni/")
    assert page.status_code == 503
    assert "Example University does not answer" in text_of(page)


def test_an_unknown_provider_is_not_found(provider: OpenIdProvider) -> None:
    for address in ("/accounts/sign-in/with/x/", "/accounts/sign-in/with/x/callback/"):
        assert Client().get(address).status_code == 404


def test_the_sign_in_page_has_a_button_for_it_and_keeps_the_page_that_was_wanted(
    provider: OpenIdProvider,
) -> None:
    page = text_of(Client().get("/accounts/sign-in/?next=/courses/coop/"))
    assert 'href="/accounts/sign-in/with/uni/?next=%2Fcourses%2Fcoop%2F"' in page
    assert "Sign in with Example University" in page
    assert 'name="password"' in page


def test_without_passwords_only_operators_sign_in_with_one(
    world: World, provider: OpenIdProvider, settings: Settings
) -> None:
    settings.PASSWORD_SIGN_IN = False
    User.objects.create_superuser("op@example.org", worlds.PASSWORD, display_name="Opal Operator")
    assert 'name="password"' not in text_of(Client().get("/accounts/sign-in/"))
    for address in ("/accounts/sign-in/", "/accounts/sign-in/operator/"):
        data = {"username": "ada@example.org", "password": worlds.PASSWORD}
        refused = Client().post(address, data)
        assert refused.status_code == 200
        assert person_of(refused) is None
        admitted = Client().post(address, data | {"username": "op@example.org"})
        assert admitted.status_code == 302
    assert "operator/?next=%2Fadmin%2F" in Client().get("/admin/", follow=True).redirect_chain[1][0]


def test_without_passwords_nobody_registers_resets_or_accepts_with_one(
    world: World, provider: OpenIdProvider, settings: Settings, mailoutbox: list[object]
) -> None:
    settings.PASSWORD_SIGN_IN = False
    data = {"display_name": "Eve", "email": "eve@example.org", "password": "a-walk-in-the-rain"}
    data["invite_code"] = world.course.invite_code
    page = Client().post("/accounts/register/", data)
    assert "Sign in with Example University" in text_of(page)
    assert not User.objects.filter(email="eve@example.org").exists()
    Client().post("/accounts/password/reset/", {"email": "ada@example.org"})
    assert mailoutbox == []
    client = signed_in(world.ada)
    assert client.get("/accounts/password/").status_code == 302


def test_the_admin_has_no_way_in_of_its_own(db: None) -> None:
    response = Client().get("/admin/login/?next=/admin/")
    assert response["Location"] == "/accounts/sign-in/?next=%2Fadmin%2F"


def test_a_person_without_a_password_signs_in_again_before_they_create_a_token(
    world: World, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    arrive("ada-12", client, **ADA)  # nobody had confirmed her address: the password is gone
    form = {"name": "laptop", "scope": "upload"}
    assert client.post("/accounts/profile/tokens/", form).status_code == 200
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 301)
    away = client.post("/accounts/profile/tokens/", form)
    assert away["Location"].startswith("/accounts/sign-in/with/uni/?")
    assert "prompt=login" in client.get(away["Location"])["Location"]
    assert AccessToken.objects.count() == 1
