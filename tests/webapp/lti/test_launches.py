"""Launches from a platform with real keys and signatures: who gets in, and where they arrive."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.test import Client
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm

from tests.support import world as worlds
from tests.support.linked import register
from tests.support.lti_platform import CLAIM, TEACHER, LtiPlatform
from tests.support.pages import text_of
from tests.support.world import World
from tests.webapp.lti.conftest import Open, begin
from webapp.accounts.models import AccessToken, FormAttempt, User
from webapp.auditlog.models import Act
from webapp.courses.models import Course, Enrolment, EnrolmentState, Role
from webapp.lti.models import LinkedAssignment, LinkedCourse, Platform

pytestmark = pytest.mark.django_db

ADA = {"sub": "ada", "email": "Ada@example.org"}


def signed_in(page: Any) -> User | None:
    user = page.wsgi_request.user
    return user if user.is_authenticated else None


def test_an_instructor_links_the_course_once(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    assert (linked.course, linked.linked_by) == (world.course, world.ida)
    page = open_link(sub="ida", email="ida@example.org", **{CLAIM + "roles": [TEACHER]})
    assert page.wsgi_request.path == "/courses/coop/"
    assert Act.objects.filter(kind="course.platform", by=world.ida).count() == 1


def test_a_second_teacher_does_not_take_the_link_to_another_course(
    platform: LtiPlatform, world: World, open_link: Open
) -> None:
    other = Course.objects.create(title="Other", slug="other")
    Enrolment.objects.create(course=other, user=worlds.person("Otto"), role=Role.INSTRUCTOR)
    browsers = {"ida": Client(), "otto": Client()}
    for name, browser in browsers.items():
        teacher = {"sub": name, "email": f"{name}@example.org", CLAIM + "roles": [TEACHER]}
        open_link(browser, **teacher)
    browsers["ida"].post("/lti/link/", {"course": world.course.pk})
    refused = browsers["otto"].post("/lti/link/", {"course": other.pk})
    assert refused.status_code == 409
    assert "has linked" in text_of(refused)
    assert LinkedCourse.objects.get().course == world.course


def test_a_student_who_comes_for_the_first_time_gets_an_account_and_a_place(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    page = open_link()
    assert page.wsgi_request.path == "/courses/coop/"
    eve = User.objects.get(email="eve@example.org")
    assert signed_in(page) == eve
    assert eve.display_name == "Eve Moneypenny"
    assert world.course.enrolments.get(user=eve).role == "student"
    assert Act.objects.get(kind="people.added", person=eve).reason == "Came from Moodle"
    assert signed_in(open_link(email="other@example.org")) == eve


def test_a_verified_address_finds_its_account(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    assert signed_in(open_link(**ADA)) == world.ada


def test_an_account_that_another_person_may_have_made_loses_its_password(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    EmailAddress.objects.filter(user=world.ada).delete()
    page = open_link(**ADA)
    assert "its password, access tokens and other sessions were removed" in text_of(page)
    world.ada.refresh_from_db()
    assert not world.ada.has_usable_password()


def test_an_address_that_the_platform_is_not_believed_about_takes_over_no_account(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    Platform.objects.update(domains="elsewhere.example")
    page = open_link(**ADA)
    assert page.status_code == 403
    assert "does not say that Ada@example.org is your address" in text_of(page)
    assert signed_in(page) is None


def test_somebody_whose_address_the_platform_does_not_release_is_told_whom_to_ask(
    linked: LinkedCourse, open_link: Open
) -> None:
    page = open_link(sub="dan", email="")
    assert page.status_code == 403
    assert "did not tell us your e-mail address. Ask its administrator to release it" in text_of(
        page
    )


def test_without_a_link_between_the_courses_students_learn_whom_to_ask(
    platform: LtiPlatform, open_link: Open
) -> None:
    page = open_link()
    assert "is not linked with Firebox yet" in text_of(page)
    assert not User.objects.filter(email="eve@example.org").exists()


def test_a_person_who_launched_long_ago_creates_no_token(
    linked: LinkedCourse, open_link: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    open_link(client)
    form = {"name": "laptop", "scope": "upload"}
    assert client.post("/accounts/profile/tokens/", form).status_code == 200
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 301)
    page = client.post("/accounts/profile/tokens/", form, follow=True)
    assert "Open this site from your learning platform again" in text_of(page)
    assert AccessToken.objects.count() == 1


def test_a_removed_person_stays_out(linked: LinkedCourse, world: World, open_link: Open) -> None:
    world.course.enrolments.filter(user=world.ada).update(state=EnrolmentState.REMOVED)
    page = open_link(**ADA)
    assert "You have left this course" in text_of(page)
    assert signed_in(page) is None


def test_an_account_that_is_switched_off_stays_so(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    User.objects.filter(pk=world.ada.pk).update(is_active=False)
    assert "This account has been switched off" in text_of(open_link(**ADA))


def test_a_full_course_takes_nobody_and_makes_no_account(
    linked: LinkedCourse, open_link: Open
) -> None:
    Course.objects.update(places=1)
    assert "This course is full" in text_of(open_link())
    assert not User.objects.filter(email="eve@example.org").exists()


def test_teachers_of_the_platform_are_no_staff_here(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    page = open_link(**{CLAIM + "roles": [TEACHER]})
    assert "You are not on the staff of" in text_of(page)
    student = open_link(**ADA, **{CLAIM + "roles": [TEACHER]})
    assert signed_in(student) == world.ada
    assert world.course.enrolments.get(user=world.ada).role == "student"


def test_a_link_of_an_assignment_opens_it_and_is_remembered_with_its_column(
    linked: LinkedCourse, world: World, platform: LtiPlatform, open_link: Open
) -> None:
    custom = {CLAIM + "custom": {"firebox_assignment": str(world.assignment.pk)}}
    page = open_link(**ADA, **custom)
    assert page.wsgi_request.path == "/courses/coop/assignments/hanabi/"
    link = LinkedAssignment.objects.get()
    assert link.lineitem_url == f"{platform.url}/columns/1?type=7"
    assert open_link(**ADA).wsgi_request.path == page.wsgi_request.path


def test_an_assignment_of_another_course_is_not_opened(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    other = Course.objects.create(slug="other", title="Other")
    world.assignment.course = other
    world.assignment.save()
    custom = {CLAIM + "custom": {"firebox_assignment": str(world.assignment.pk)}}
    assert open_link(**ADA, **custom).wsgi_request.path == "/courses/coop/"


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
    assert signed_in(page) is None
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


def test_operators_register_a_platform_in_the_admin(world: World) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("op@example.org", display_name="Opal"))
    values = {
        "name": "Canvas",
        "issuer": "https://canvas.instructure.com",
        "client_id": "10000000000001",
        "deployment_ids": "1:abc\r\n2:def",
        "auth_login_url": "https://sso.canvaslms.com/api/lti/authorize_redirect",
        "token_url": "https://canvas.example.edu/login/oauth2/token",
        "keys_url": "https://sso.canvaslms.com/api/lti/security/jwks",
        "is_active": "on",
    }
    assert client.post("/admin/lti/platform/add/", values).status_code == 302
    assert Platform.objects.get().deployments == ["1:abc", "2:def"]
    assert Act.objects.filter(kind="record.added").count() == 1
    assert client.get("/admin/mfa/authenticator/").status_code == 404


def test_an_instructor_adds_an_assignment_by_deep_linking(
    linked: LinkedCourse, world: World, platform: LtiPlatform, open_link: Open
) -> None:
    claims = {**platform.deep_link_claims(), CLAIM + "roles": [TEACHER]}
    page = open_link(**claims)
    assert f"frame-ancestors {platform.url}" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    choice = page.context["choice"]
    done = Client().post("/lti/deep-link/", {"choice": choice, "assignment": world.assignment.pk})
    assert f'action="{platform.url}/return"' in text_of(done)
    answer = platform.read(done.context["message"])
    assert answer["aud"] == [platform.url]
    assert answer["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == "csrf-7"
    (item,) = answer["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"]
    assert item["custom"] == {"firebox_assignment": str(world.assignment.pk)}
    assert item["lineItem"]["scoreMaximum"] == 100
    assert item["url"] == f"{settings.SITE_URL}/lti/launch/"
    linked.delete()
    gone = Client().post("/lti/deep-link/", {"choice": choice, "assignment": world.assignment.pk})
    assert gone.status_code == 400


def test_a_launch_comes_back_to_this_site_whatever_host_was_named(platform: LtiPlatform) -> None:
    leads_to = begin(platform, Client(headers={"host": "localhost:666"}))
    (back,) = parse_qs(urlsplit(leads_to).query)["redirect_uri"]
    assert back == f"{settings.SITE_URL}/lti/launch/"


def test_students_add_nothing_and_a_choice_cannot_be_made_up(
    linked: LinkedCourse, world: World, platform: LtiPlatform, open_link: Open
) -> None:
    page = open_link(**platform.deep_link_claims())
    assert "Only people who teach this course" in text_of(page)
    data = {"choice": "made-up", "assignment": world.assignment.pk}
    assert Client().post("/lti/deep-link/", data).status_code == 400


def test_a_link_to_an_archived_course_opens_it_and_changes_nothing(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    Course.objects.update(archived_at=timezone.now())
    before = LinkedCourse.objects.values().get()
    page = open_link(**ADA, **{CLAIM + "context": {"id": before["context_id"], "title": "Other"}})
    assert page.wsgi_request.path == "/courses/coop/"
    assert LinkedCourse.objects.values().get() == before
    assert not LinkedAssignment.objects.exists()


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_a_launch_signs_nobody_in_as_an_operator(
    right: str, linked: LinkedCourse, world: World, open_link: Open
) -> None:
    browser = Client()
    User.objects.filter(pk=world.ada.pk).update(**{right: True})
    page = open_link(browser, **ADA)
    assert signed_in(page) is None
    assert page.wsgi_request.path == "/accounts/sign-in/operator/"
    credentials = {"username": "ada@example.org", "password": worlds.PASSWORD}
    browser.post("/accounts/sign-in/operator/", credentials)
    assert "Let Moodle sign you in?" in text_of(browser.get("/accounts/sign-in/join/"))


def test_a_person_who_became_an_operator_is_not_signed_in_by_an_earlier_launch(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    assert signed_in(open_link(**ADA)) == world.ada
    User.objects.filter(pk=world.ada.pk).update(is_superuser=True)
    assert signed_in(open_link(**ADA)) is None


def test_another_mailbox_whose_lower_case_is_an_address_here_is_refused(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    """The Kelvin sign becomes a k in lower case."""
    worlds.person("Mack")
    page = open_link(sub="eve", email="mac\u212a@example.org")
    assert "is not an address that this site can use" in text_of(page)
    assert signed_in(page) is None
