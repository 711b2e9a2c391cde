"""Registering, signing in, joining, the profile."""

import json
import re
import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import confirm_address, has_confirmed_address
from webapp.people.accounts.models import AccessToken, User
from webapp.people.accounts.services import RESET_MAIL_PAUSE
from webapp.people.accounts.tokens import create_token, user_of_token
from webapp.teaching.courses.services import extend_deadline

pytestmark = pytest.mark.django_db

GOOD = {
    "display_name": "Eve Moneypenny",
    "email": "Eve@Example.org",
    "password": "a-walk-in-the-rain",
    "student_number": "0815",
}
NEW = dict.fromkeys(("new_password1", "new_password2"), "a-walk-in-the-rain")


def register(world: World, **changes: str) -> tuple[Client, str]:
    client = Client()
    data = {**GOOD, "invite_code": world.course.invite_code, **changes}
    response = client.post("/accounts/register/", data, follow=True)
    return client, text_of(response)


@pytest.mark.slow
def test_registering_with_a_code_enrols_and_signs_in(world: World) -> None:
    code = world.course.invite_code.lower()
    client, page = register(world, invite_code=f" {code[:4]} {code[4:8]} - {code[8:]} ")
    assert "Welcome, Eve Moneypenny" in page
    assert "Cooperative agents" in text_of(client.get("/"))
    assert world.course.enrolments.get(user__email="eve@example.org").student_number == "0815"
    page = text_of(Client().get(f"/accounts/register/?code={world.course.invite_code}"))
    assert f'value="{world.course.invite_code}"' in page


def test_every_error_is_reported_at_its_field(world: World) -> None:
    _, page = register(
        world, invite_code="NOSUCHCODE", email="not an address", password="short", display_name=""
    )
    for field in ("invite_code", "email", "password", "display_name"):
        assert f'id="id_{field}_error"' in page
    assert page.count('aria-invalid="true"') == 4
    assert "Enter a valid e-mail address." in page
    assert not User.objects.filter(email="eve@example.org").exists()


def test_signing_in_takes_the_password_and_any_capitals_of_the_address(world: World) -> None:
    data = {"username": "ADA@example.org", "password": "wrong"}
    page = text_of(Client().post("/accounts/sign-in/", data))
    assert "Wrong e-mail address or password" in page
    response = Client().post("/accounts/sign-in/", data | {"password": worlds.PASSWORD})
    assert response.status_code == 302


@pytest.mark.slow
def test_ten_wrong_passwords_close_the_door_and_say_for_how_long(world: World) -> None:
    client, data = Client(), {"username": "ada@example.org", "password": "wrong"}
    for _ in range(10):
        response = client.post("/accounts/sign-in/", data)
    assert response.status_code in (403, 429)
    assert "15 minutes" in text_of(response)


def test_signing_out_takes_a_post(world: World) -> None:
    client = signed_in(world.ada)
    assert client.get("/accounts/sign-out/").headers["Location"] == "/"
    assert client.get("/accounts/profile/").status_code == 200
    assert client.post("/accounts/sign-out/").status_code == 302
    assert client.get("/accounts/profile/").status_code == 302


SITE_URL = "https://firebox.uni.example"


@pytest.mark.parametrize("host", ["testserver", "attacker.example", "firebox.uni.example:444"])
def test_a_link_in_a_mail_leads_to_this_site_whatever_host_was_named(
    world: World, settings: Settings, host: str
) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = SITE_URL, ["*"]
    headers = {"host": host}
    Client().post("/accounts/password/reset/", {"email": "ada@example.org"}, headers=headers)
    (message,) = mail.outbox
    assert f"\n{SITE_URL}/accounts/password/reset/" in str(message.body)
    assert host == "firebox.uni.example:444" or host not in str(message.body)
    assert ":444" not in str(message.body)


def open_reset_link(client: Client) -> Any:
    """Ask for a link to reset Ada's password, and open it."""
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    link = next(line for line in str(mail.outbox[0].body).splitlines() if "/reset/" in line)
    return client.get(link.removeprefix(SITE_URL), follow=True)


def test_a_forgotten_password_can_be_reset(world: World, settings: Settings) -> None:
    settings.SITE_URL = SITE_URL
    client = Client()
    form = open_reset_link(client)
    assert "At least 10 characters; not only digits" in form.content.decode()
    assert "New password again" in form.content.decode()
    assert client.post(form.redirect_chain[-1][0], NEW).status_code == 302
    assert client.login(
        request=form.wsgi_request, username="ada@example.org", password="a-walk-in-the-rain"
    )


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_a_reset_shuts_out_who_made_the_account_before_its_address_was_confirmed(
    world: World, settings: Settings, *, is_confirmed: bool
) -> None:
    settings.SITE_URL = SITE_URL
    if is_confirmed:
        confirm_address(world.ada)
    token = create_token(user=world.ada, name="laptop", at=timezone.now())
    Authenticator.objects.create(user=world.ada, type="totp", data={})
    SocialAccount.objects.create(user=world.ada, provider="uni", uid="7")
    client = Client()
    client.post(open_reset_link(client).redirect_chain[-1][0], NEW)
    assert has_confirmed_address(world.ada)
    assert user_of_token(token, at=timezone.now()) is None
    for model in (Authenticator, SocialAccount):
        assert model.objects.filter(user=world.ada).exists() == is_confirmed


@pytest.mark.slow
def test_resetting_does_not_tell_who_has_an_account_and_fills_no_mailbox(world: World) -> None:
    response = Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert response.status_code == 302
    assert mail.outbox == []
    for _ in range(3):
        Client().post("/accounts/password/reset/", {"email": "Ada@Example.org"})
    assert len(mail.outbox) == 1
    User.objects.filter(pk=world.ada.pk).update(reset_mailed_at=timezone.now() - RESET_MAIL_PAUSE)
    Client().post("/accounts/password/reset/", {"email": "ada@example.org"})
    assert len(mail.outbox) == 2


def test_a_signed_in_user_joins_another_course_by_code(world: World) -> None:
    stranger = worlds.person("Dora Stranger")
    client = signed_in(stranger)
    page = client.post("/join/", {"invite_code": world.course.invite_code}, follow=True)
    assert "You are enrolled in Cooperative agents" in text_of(page)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("NOPE", "No course has this invite code"),
        ("", "Enter the invite code first."),
        ("X" * 50, "at most 40 characters"),
    ],
)
def test_a_wrong_code_leads_back_home_with_the_reason(code: str, said: str, world: World) -> None:
    page = signed_in(world.ada).post("/join/", {"invite_code": code}, follow=True)
    assert said in text_of(page)


@pytest.mark.slow
def test_the_download_has_all_of_mine_and_nothing_of_others(
    world: World, practised: Submission
) -> None:
    worlds.submit_and_practise(world, world.ben)
    worlds.grade(world, world.ada)
    for user, reason in ((world.ada, "Ill"), (world.ben, "Ben's own affair")):
        due_at = world.assignment.due_at + timedelta(days=1)
        team = worlds.team_of(world, user)
        extend_deadline(team=team, by=world.ida, due_at=due_at, reason=reason)
    confirm_address(world.ada)
    create_token(user=world.ada, name="laptop", at=timezone.now())
    response = signed_in(world.ada).get("/accounts/profile/download/")
    text = text_of(response)
    data = json.loads(text)
    assert data["account"]["email"] == "ada@example.org"
    assert [row["number"] for row in data["submissions"]] == [1]
    assert {row["kind"] for row in data["evaluations"]} == {"smoke", "practice", "graded"}
    assert len(data["grades"]) == 1
    assert [row["reason"] for row in data["extensions"]] == ["Ill"]
    (token,) = data["access_tokens"]
    assert token["name"] == "laptop"
    assert "digest" not in token
    assert "Ben" not in text
    assert response["Content-Disposition"].startswith("attachment")


def ask_for_token(client: Client, **data: str) -> Any:
    """Send the profile's form; without a recent confirmation, the answer leads to one."""
    return client.post("/accounts/profile/tokens/", {"name": "laptop", "scope": "upload"} | data)


def confirm(client: Client, answer: Any, password: str = worlds.PASSWORD) -> Any:
    """Enter the password on the page to which the answer leads."""
    assert answer["Location"] == "/accounts/confirm/?next=%2Faccounts%2Fprofile%2Ftokens%2F"
    return client.post(answer["Location"], {"password": password})


def test_a_session_alone_creates_no_token_and_a_form_is_confirmed_once(world: World) -> None:
    client = signed_in(world.ada)
    refused = confirm(client, ask_for_token(client), password="a-guess")
    assert "Incorrect password" in text_of(refused)
    assert ask_for_token(client).status_code == 302
    assert not AccessToken.objects.exists()
    answer = ask_for_token(client)
    confirm(client, answer)
    again = client.get(confirm(client, answer)["Location"])
    assert again["Location"] == "/accounts/profile/"


def test_a_confirmation_lasts_for_minutes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(world.ada)
    confirm(client, ask_for_token(client))
    assert ask_for_token(client).status_code == 200
    assert AccessToken.objects.count() == 2
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 301)
    assert ask_for_token(client).status_code == 302


@pytest.mark.parametrize("data", [{"scope": "everything"}, {"name": " "}])
def test_a_token_of_an_unknown_scope_or_without_a_name_is_refused(
    data: dict[str, str], world: World
) -> None:
    client = signed_in(world.ada)
    client.get(confirm(client, ask_for_token(client, **data))["Location"])
    assert not AccessToken.objects.exists()


def test_a_token_ends_when_the_password_is_changed_on_the_page(world: World) -> None:
    client = signed_in(world.ada)
    token = create_token(user=world.ada, name="Babbage", at=timezone.now())
    assert "access tokens" in text_of(client.get("/accounts/password/"))
    client.post("/accounts/password/", {"old_password": worlds.PASSWORD, **NEW})
    assert user_of_token(token, at=timezone.now()) is None
    assert "Babbage" not in text_of(client.get("/accounts/profile/"))


def test_a_token_is_shown_once_and_the_profile_lists_its_scope_and_last_use(world: World) -> None:
    client = signed_in(world.ada)
    page = confirm(client, ask_for_token(client))
    assert "no-store" in page.headers["Cache-Control"]
    (token,) = re.findall(r"<code>(firebox_[\w-]{40,})</code>", page.content.decode())
    assert user_of_token(token, at=timezone.now()) == world.ada
    profile = client.get("/accounts/profile/").content.decode()
    assert "laptop" in profile
    assert token not in profile
    text = create_token(user=world.ada, name="scores", at=timezone.now(), scope="read")
    create_token(user=world.ada, name="laptop", at=timezone.now())
    user_of_token(text, at=timezone.now())
    page = " ".join(text_of(signed_in(world.ada).get("/accounts/profile/")).split())
    assert "may upload and read results, never used, expires" in page
    assert "may read results, last used" in page


def test_a_revoked_token_leaves_the_profile(world: World) -> None:
    create_token(user=world.ada, name="Babbage", at=timezone.now())
    address = f"/accounts/profile/tokens/{AccessToken.objects.get().pk}/revoke/"
    signed_in(world.ben).post(address)
    assert AccessToken.objects.exists()
    page = signed_in(world.ada).post(address, follow=True).content.decode()
    assert "Token revoked" in page
    assert "Babbage" not in page
