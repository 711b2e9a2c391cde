"""Launches from a platform with real keys and signatures: who gets in, and where they arrive."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.lti_platform import CLAIM, TEACHER, LtiPlatform
from tests.support.pages import person_of, signed_in, text_of
from tests.support.world import World
from tests.webapp.lti.conftest import Open, begin
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform
from webapp.people.accounts.models import AccessToken, User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role

pytestmark = pytest.mark.django_db

ADA = {"sub": "ada", "email": "Ada@example.org"}


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
    assert person_of(page) == eve
    assert eve.display_name == "Eve Moneypenny"
    assert world.course.enrolments.get(user=eve).role == "student"
    assert Act.objects.get(kind="people.added", person=eve).reason == "Came from Moodle"
    assert person_of(open_link(email="other@example.org")) == eve


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
    assert person_of(page) is None


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
    assert person_of(page) is None


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
    assert person_of(student) == world.ada
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


def test_operators_register_a_platform_in_the_admin(world: World) -> None:
    client = signed_in(User.objects.create_superuser("op@example.org", display_name="Opal"))
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
    assert person_of(page) is None
    assert page.wsgi_request.path == "/accounts/sign-in/operator/"
    credentials = {"username": "ada@example.org", "password": worlds.PASSWORD}
    browser.post("/accounts/sign-in/operator/", credentials)
    assert "Let Moodle sign you in?" in text_of(browser.get("/accounts/sign-in/join/"))


def test_a_person_who_became_an_operator_is_not_signed_in_by_an_earlier_launch(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    assert person_of(open_link(**ADA)) == world.ada
    User.objects.filter(pk=world.ada.pk).update(is_superuser=True)
    assert person_of(open_link(**ADA)) is None


def test_another_mailbox_whose_lower_case_is_an_address_here_is_refused(
    linked: LinkedCourse, world: World, open_link: Open
) -> None:
    """The Kelvin sign becomes a k in lower case."""
    worlds.person("Mack")
    page = open_link(sub="eve", email="mac\u212a@example.org")
    assert "is not an address that this site can use" in text_of(page)
    assert person_of(page) is None
