"""Corrections of names and addresses: by their owner, and by staff; and who must not."""

import re
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from tests.support.pages import signed_in
from tests.webapp.courses.roster.test_importing import bring_in, entry
from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.identities import Identity, add_identity, confirm_address
from webapp.people.accounts.identities import has_confirmed_address as is_confirmed
from webapp.people.accounts.invitations import invitation_token, invited_user, is_invited
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.people.notifications.sending import send_due
from webapp.teaching.courses.models import Course, Enrolment, Role
from webapp.teaching.courses.roster.planning import ImportOutcome, plan_import
from webapp.teaching.courses.services import correct_person, create_course
from webapp.teaching.courses.services.correcting import change_own_address, request_own_address

pytestmark = pytest.mark.django_db

NEW = "ada.lovelace@uni.example"
SECRET = "correct-horse-battery"


def place_of(user: User) -> Enrolment:
    return Enrolment.objects.select_related("user", "course").get(user=user)


def correct(
    user: User, by: User, *, email: str = NEW, name: str = "Ada", reason: str = "Typo"
) -> bool:
    return correct_person(enrolment=place_of(user), by=by, name=name, email=email, reason=reason)


def link_to(address: str) -> str:
    body = Notification.objects.get(address=address).body
    [token] = re.findall(r"/profile/address/([^/\s]+)/", body)
    return str(token)


def test_an_owner_changes_their_address_by_the_link_in_the_new_mailbox(ada: User) -> None:
    request_own_address(user=ada, email="Ada.Lovelace@uni.example")
    ada.refresh_from_db()
    assert ada.email == "ada@uni.example"
    assert change_own_address(user=ada, token=link_to(NEW)) == NEW
    ada.refresh_from_db()
    assert (ada.email, is_confirmed(ada)) == (NEW, True)
    told = Notification.objects.get(address="ada@uni.example")
    assert "another e-mail address" in told.body
    with pytest.raises(Refused, match="used before"):
        change_own_address(user=ada, token=link_to(NEW))
    kinds = Act.objects.filter(person=ada, by=ada).values_list("kind", flat=True)
    assert "people.address" in set(kinds)


def test_a_link_does_nothing_for_another_person(ada: User, ben: User) -> None:
    request_own_address(user=ada, email=NEW)
    with pytest.raises(Refused, match="old"):
        change_own_address(user=ben, token=link_to(NEW))


def test_an_address_taken_meanwhile_is_refused(ada: User, outsider: User) -> None:
    request_own_address(user=ada, email=NEW)
    User.objects.filter(pk=outsider.pk).update(email=NEW)
    with pytest.raises(Refused, match="Another account"):
        change_own_address(user=ada, token=link_to(NEW))


def test_a_role_given_to_an_unconfirmed_address_does_not_move_to_another_address(
    course: Course, ada: User
) -> None:
    request_own_address(user=ada, email=NEW)
    course.enrolments.filter(user=ada).update(role=Role.ASSISTANT)
    with pytest.raises(Refused, match="more than a student"):
        change_own_address(user=ada, token=link_to(NEW))
    with pytest.raises(Refused, match="more than a student"):
        request_own_address(user=ada, email=NEW)
    confirm_address(ada)
    assert change_own_address(user=ada, token=link_to(NEW)) == NEW


def test_a_second_link_within_minutes_and_a_wrong_address_are_refused(ada: User) -> None:
    with pytest.raises(ValidationError):
        request_own_address(user=ada, email="ada at uni")
    request_own_address(user=ada, email=NEW)
    with pytest.raises(Refused, match="ten minutes"):
        request_own_address(user=ada, email="other@uni.example")


def test_staff_correct_an_unconfirmed_address_and_nobody_else_keeps_a_way_in(
    course: Course, ida: User, ada: User
) -> None:
    ada.set_password(SECRET)
    ada.save()
    invitation = invitation_token(ada)
    client = signed_in(ada)
    assert correct(ada, ida, name="Ada Lovelace")
    ada.refresh_from_db()
    assert (ada.email, ada.display_name, is_confirmed(ada)) == (NEW, "Ada Lovelace", False)
    assert is_invited(ada)
    assert invited_user(invitation) is None
    assert client.get("/accounts/profile/").status_code == 302
    letter = Notification.objects.get(topic="invitation", user=ada)
    [token] = re.findall(r"/accounts/invitation/([^/\s]+)/", letter.body)
    assert invited_user(token) == ada
    assert Notification.objects.filter(address="ada@uni.example").exists()
    acts = Act.objects.filter(course=course, person=ada, by=ida, reason="Typo")
    assert {"people.address", "people.name"} <= set(acts.values_list("kind", flat=True))


def test_another_name_alone_leaves_the_password(ida: User, ada: User) -> None:
    ada.set_password(SECRET)
    ada.save()
    assert not correct(ada, ida, name="Ada L.", email=ada.email)
    ada.refresh_from_db()
    assert ada.check_password(SECRET)
    assert ada.display_name == "Ada L."


@pytest.mark.parametrize("what", ["confirmed", "joined", "elsewhere", "creates", "operator"])
def test_staff_cannot_correct_an_account_that_is_not_theirs_to_give(
    what: str, ida: User, ada: User, outsider: User
) -> None:
    if what == "confirmed":
        confirm_address(ada)
    elif what == "joined":
        identity = Identity(provider="x", provider_name="X", subject="1")
        add_identity(user=ada, identity=identity)
    elif what == "elsewhere":
        outsider.may_create_courses = True
        outsider.save()
        other = create_course(by=outsider, title="Other", slug="other")
        Enrolment.objects.create(course=other, user=ada, state="removed")
    else:
        field = "may_create_courses" if what == "creates" else "is_superuser"
        User.objects.filter(pk=ada.pk).update(**{field: True})
    place = Enrolment.objects.select_related("user", "course").get(user=ada, course__slug="games")
    with pytest.raises(Refused):
        correct_person(enrolment=place, by=ida, name="Ada", email=NEW, reason="Typo")
    ada.refresh_from_db()
    assert ada.email == "ada@uni.example"


def test_only_instructors_with_a_reason_and_a_free_address_correct(
    ida: User, ada: User, ben: User, enrol: Callable[..., User]
) -> None:
    with pytest.raises(NotAllowed):
        correct(ada, enrol("Cleo", role=Role.ASSISTANT))
    with pytest.raises(NotAllowed):
        correct(ada, ada)
    with pytest.raises(Refused, match="reason"):
        correct(ada, ida, reason=" ")
    with pytest.raises(Refused, match="Another account"):
        correct(ada, ida, email=ben.email)


def test_a_list_corrects_the_people_whom_its_numbers_name(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    course.enrolments.filter(user=ada).update(student_number="501")
    course.enrolments.filter(user=ben).update(student_number="502")
    people = [
        entry("Ada Lovelace", email=NEW, number="501"),
        entry("Benjamin", line=3, email="ben@uni.example", number="502"),
    ]
    assert [line.outcome for line in plan_import(course, people).lines] == [
        ImportOutcome.CHANGED
    ] * 2
    bring_in(course, ida, *people)
    ada.refresh_from_db()
    ben.refresh_from_db()
    assert (ada.email, ada.display_name) == (NEW, "Ada Lovelace")
    assert (ben.email, ben.display_name) == ("ben@uni.example", "Benjamin")
    assert [line.outcome for line in plan_import(course, people).lines] == [ImportOutcome.SAME] * 2
    assert Act.objects.filter(kind="people.address", person=ada, course=course, by=ida).exists()
    assert Notification.objects.filter(topic="invitation", user=ada).exists()


def test_a_list_changes_nothing_of_a_confirmed_account(course: Course, ada: User) -> None:
    course.enrolments.filter(user=ada).update(student_number="501")
    confirm_address(ada)
    [line] = plan_import(course, [entry("Ada", email=NEW, number="501")]).lines
    assert "has confirmed ada@uni.example" in " ".join(line.errors)
    [line] = plan_import(course, [entry("A. L.", email=ada.email, number="501")]).lines
    assert line.outcome == ImportOutcome.SAME


def test_a_list_does_not_give_an_address_that_another_account_has(
    course: Course, ada: User, outsider: User
) -> None:
    course.enrolments.filter(user=ada).update(student_number="501")
    [line] = plan_import(course, [entry("Ada", email=outsider.email, number="501")]).lines
    assert "Ada has this student number" in " ".join(line.errors)


def test_pages_correct_names_and_addresses(course: Course, ida: User, ada: User) -> None:
    client = signed_in(ida)
    path = f"/courses/games/people/{place_of(ada).pk}/"
    assert "Correct name and address" in client.get(path).content.decode()
    values = {"name": "Ada L.", "email": NEW, "reason": "Typo"}
    answer = client.post(path + "correct/", values, follow=True).content.decode()
    assert "An invitation is on its way" in answer
    ada.refresh_from_db()
    confirm_address(ada)
    assert "has confirmed" in client.get(path).content.decode()


def test_the_profile_changes_name_and_address(ada: User) -> None:
    ada.set_password(SECRET)
    ada.save()
    client = Client()
    client.post("/accounts/sign-in/", {"username": ada.email, "password": SECRET})
    client.post("/accounts/profile/name/", {"name": "Ada L."})
    answer = client.post("/accounts/profile/address/", {"email": NEW}, follow=True)
    confirmation, _ = answer.redirect_chain[-1]
    answer = client.post(confirmation, {"password": SECRET}, follow=True)
    assert f"on its way to {NEW}" in answer.content.decode()
    path = f"/accounts/profile/address/{link_to(NEW)}/"
    assert f"Change your address to {NEW}?" in client.get(path).content.decode()
    ada.refresh_from_db()
    assert (ada.display_name, ada.email) == ("Ada L.", "ada@uni.example")
    client.post(path)
    ada.refresh_from_db()
    assert ada.email == NEW


def test_a_mail_to_a_new_address_goes_there(ada: User, mailoutbox: list[object]) -> None:
    request_own_address(user=ada, email=NEW)
    send_due(at=timezone.now())
    assert [mail.to for mail in mailoutbox] == [[NEW]]  # type: ignore[attr-defined]
