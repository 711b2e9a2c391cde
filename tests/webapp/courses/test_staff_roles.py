"""A role above student takes effect only for the owner of an account's address.

Eve registers with the address of Tess, who is to teach. By whatever way Tess then gets her role,
Eve is shut out first.
"""

import ast
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user
from django.test import Client
from django.utils import timezone

import webapp
from tests.support.pages import signed_in
from tests.webapp.courses.roster.test_importing import bring_in, entry
from webapp.base.errors import Refused
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.services.archiving import archive_course, unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.undoing import undo
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import create_token, user_of_token
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.roster.formats import RosterEntry
from webapp.teaching.courses.roster.planning import plan_import
from webapp.teaching.courses.services import change_people, import_people, set_role

pytestmark = pytest.mark.django_db

PASSWORD = "a-walk-in-the-rain"
WHY = "Teaches from now on"
STAFF_PAGE = "/courses/games/people/"


class Eve:
    """Tess's address, registered by Eve, with every way in that an account can have."""

    def __init__(self, course: Course) -> None:
        data = {"email": "Tess@uni.example", "display_name": "Tess", "password": PASSWORD}
        self.browser = Client()
        self.browser.post("/accounts/register/", data | {"invite_code": course.invite_code})
        self.account = User.objects.get(email="tess@uni.example")
        self.token = create_token(user=self.account, name="laptop", at=timezone.now())
        SocialAccount.objects.create(user=self.account, provider="uni", uid="eve")
        Authenticator.objects.create(user=self.account, type="totp", data={})

    def place(self, course: Course) -> Enrolment:
        return course.enrolments.select_related("user", "course").get(user=self.account)

    def ways_in(self) -> list[str]:
        self.account.refresh_from_db()
        works = {
            "session": get_user(self.browser).is_authenticated,
            "password": self.account.check_password(PASSWORD),
            "token": user_of_token(self.token, at=timezone.now()) is not None,
            "identity": SocialAccount.objects.filter(user=self.account).exists(),
            "second factor": Authenticator.objects.filter(user=self.account).exists(),
        }
        return [name for name, does in works.items() if does]


@pytest.fixture
def eve(course: Course) -> Eve:
    return Eve(course)


def by_role(course: Course, ida: User, eve: Eve) -> None:
    set_role(enrolment=eve.place(course), by=ida, role=Role.INSTRUCTOR, reason=WHY)


def by_people(course: Course, ida: User, eve: Eve) -> None:
    places = [eve.place(course)]
    change_people(course=course, by=ida, enrolments=places, role=Role.GRADER, reason=WHY)


def by_coming_back(course: Course, ida: User, eve: Eve) -> None:
    left = {"state": EnrolmentState.REMOVED, "role": Role.ASSISTANT}
    course.enrolments.filter(user=eve.account).update(**left)
    places = [eve.place(course)]
    state = EnrolmentState.ACTIVE
    change_people(course=course, by=ida, enrolments=places, state=state, reason=WHY)


def by_roster(course: Course, ida: User, eve: Eve) -> None:
    bring_in(course, ida, entry("Tess", role="observer"))


def by_roster_of_another_course(course: Course, ida: User, eve: Eve) -> None:
    course.enrolments.filter(user=eve.account).delete()
    bring_in(course, ida, entry("Tess", role="instructor"))


def by_coming_back_in_a_roster(course: Course, ida: User, eve: Eve) -> None:
    left = {"state": EnrolmentState.WITHDRAWN, "role": Role.ASSISTANT}
    course.enrolments.filter(user=eve.account).update(**left)
    bring_in(course, ida, entry("Tess", role=""))


def by_admin(course: Course, ida: User, eve: Eve) -> None:
    client, place = operators(), eve.place(course)
    page = client.get(f"/admin/courses/course/{course.pk}/change/")
    formset = page.context["inline_admin_formsets"][0].formset
    data = {**formset.management_form.initial}
    data = {f"enrolments-{name}": value for name, value in data.items()}
    for number, form in enumerate(formset.initial_forms):
        row = form.instance
        role = Role.INSTRUCTOR if row == place else row.role
        values = {"id": row.pk, "course": course.pk, "user": row.user_id, "role": role}
        data |= {f"enrolments-{number}-{name}": value for name, value in values.items()}
    own = page.context["adminform"].form
    data |= {name: value for name in own.fields if (value := own[name].value()) is not None}
    saved = client.post(f"/admin/courses/course/{course.pk}/change/", data)
    assert saved.status_code == 302, saved.context["errors"]


def by_course_file(course: Course, ida: User, eve: Eve) -> None:
    """The course comes back from a file in which Tess teaches; its instructor enrols her."""
    course.enrolments.filter(user=eve.account).update(role=Role.ASSISTANT)
    archive_course(course=course, by=ida)
    file = BytesIO()
    write_course(Course.objects.get(pk=course.pk), file, at=timezone.now())
    imported = import_course(file=file, by=ida, slug="again").course
    assert eve.place(imported).state == EnrolmentState.WITHDRAWN
    unarchive_course(course=imported, by=ida)
    places = [eve.place(Course.objects.get(pk=imported.pk))]
    change_people(
        course=places[0].course, by=ida, enrolments=places, state=EnrolmentState.ACTIVE, reason=WHY
    )


def by_undoing(course: Course, ida: User, eve: Eve) -> None:
    course.enrolments.filter(user=eve.account).update(role=Role.ASSISTANT)
    set_role(enrolment=eve.place(course), by=ida, role=Role.STUDENT, reason=WHY)
    assert "session" in eve.ways_in()
    undo([Act.objects.filter(kind="people.role").latest("pk")], course=course, by=ida)


WAYS: dict[str, Callable[[Course, User, Eve], None]] = {
    "role of one": by_role,
    "role of many": by_people,
    "coming back": by_coming_back,
    "roster": by_roster,
    "roster of another course": by_roster_of_another_course,
    "coming back in a roster": by_coming_back_in_a_roster,
    "admin": by_admin,
    "course file": by_course_file,
    "undoing": by_undoing,
}


def operators() -> Client:
    return signed_in(User.objects.create_superuser("olga@uni.example", display_name="Olga"))


@pytest.mark.parametrize("way", WAYS)
def test_a_role_shuts_out_who_registered_the_address_first(
    way: str, course: Course, ida: User, eve: Eve
) -> None:
    assert eve.ways_in() == ["session", "password", "token", "identity", "second factor"]
    Notification.objects.all().delete()
    WAYS[way](course, ida, eve)
    assert eve.ways_in() == []
    assert Enrolment.objects.active().filter(user=eve.account).exclude(role="student").exists()
    letter = Notification.objects.get(user=eve.account, topic="invitation")
    assert "nobody had ever confirmed the address" in letter.body
    [link] = re.findall(r"/accounts/invitation/[^/\s]+/", letter.body)
    tess = Client()
    new = {"new_password1": "hail-in-the-spring", "new_password2": "hail-in-the-spring"}
    tess.post(link, {"display_name": "Tess", **new})
    assert tess.get("/accounts/profile/").status_code == 200
    assert eve.ways_in() == []


@pytest.mark.parametrize("way", WAYS.keys() - {"course file"})
def test_the_owner_of_an_address_keeps_everything(
    way: str, course: Course, ida: User, eve: Eve
) -> None:
    confirm_address(eve.account)
    before = eve.ways_in()
    WAYS[way](course, ida, eve)
    assert eve.ways_in() == before


def test_an_address_that_was_confirmed_before_it_changed_counts_no_more(
    course: Course, ida: User, eve: Eve
) -> None:
    eve.account.email = "eve@elsewhere.example"
    confirm_address(eve.account)
    User.objects.filter(pk=eve.account.pk).update(email="tess@uni.example")
    by_role(course, ida, eve)
    assert eve.ways_in() == []


def test_students_and_operators_keep_their_ways_in(course: Course, ida: User, eve: Eve) -> None:
    bring_in(course, ida, entry("Tess", role="student"))
    assert "session" in eve.ways_in()
    User.objects.filter(pk=eve.account.pk).update(is_staff=True)
    by_role(course, ida, eve)
    assert "session" in eve.ways_in()


def test_the_preview_says_which_accounts_are_taken_back(
    course: Course, ida: User, eve: Eve
) -> None:
    client = signed_in(ida)
    text = "Name,E-mail address,Role\nTess,tess@uni.example,assistant\nDan,dan@uni.example,ta\n"
    form = {"text": text, "column_name": "Name", "column_email": "E-mail address"}
    page = client.post(f"{STAFF_PAGE}import/", form | {"column_role": "Role"}).content.decode()
    assert page.count("Nobody has confirmed the address of this account.") == 1
    person = client.get(f"{STAFF_PAGE}{eve.place(course).pk}/").content.decode()
    assert "Nobody has confirmed the address of this account." in person


def test_an_account_registered_after_the_preview_is_not_given_the_role(
    course: Course, ida: User
) -> None:
    people = [entry("Tess", role="instructor")]
    previewed = plan_import(course, people).digest
    eve = Eve(course)
    with pytest.raises(Refused, match="changed since"):
        import_people(course=course, by=ida, entries=people, previewed=previewed)
    assert eve.place(course).role == Role.STUDENT


def test_a_student_number_alone_gives_no_role(course: Course, ida: User, eve: Eve) -> None:
    """Students enter their numbers themselves: Eve, who has an address of her own, knows Tess's."""
    confirm_address(eve.account)
    course.enrolments.filter(user=eve.account).update(student_number="501")
    line = RosterEntry(line=2, name="Tess", email="", number="501", section="", role="assistant")
    (planned,) = plan_import(course, [line]).lines
    assert planned.errors == ["A role above student needs the e-mail address."]


def test_an_account_that_waits_for_its_owner_stays_as_it_is(course: Course, ida: User) -> None:
    bring_in(course, ida, entry("Dan"))
    dan = User.objects.get(email="dan@uni.example")
    set_role(enrolment=course.enrolments.get(user=dan), by=ida, role=Role.ASSISTANT, reason=WHY)
    assert User.objects.get(pk=dan.pk).password == dan.password
    assert not Act.objects.filter(kind="people.taken_back").exists()


@pytest.mark.parametrize("right", ["may_create_courses", "is_staff", "is_superuser"])
def test_operators_give_no_rights_to_an_unconfirmed_account(
    right: str, course: Course, eve: Eve
) -> None:
    client, address = operators(), f"/admin/accounts/user/{eve.account.pk}/change/"
    data = {"email": eve.account.email, "display_name": "Tess", "is_active": "on", right: "on"}
    refused = client.post(address, data)
    assert "another person may have" in refused.content.decode()
    confirm_address(eve.account)
    assert client.post(address, data).status_code == 302
    eve.account.refresh_from_db()
    assert getattr(eve.account, right)


def test_an_account_that_an_operator_makes_may_get_rights(course: Course) -> None:
    client = operators()
    data = {"email": "tess@uni.example", "display_name": "Tess", "usable_password": "false"}
    client.post("/admin/accounts/user/add/", data)
    tess = User.objects.get(email="tess@uni.example")
    data = {"email": tess.email, "display_name": "Tess", "may_create_courses": "on"}
    assert client.post(f"/admin/accounts/user/{tess.pk}/change/", data).status_code == 302


def test_a_request_that_began_before_has_no_effect_after(
    course: Course, ida: User, eve: Eve
) -> None:
    began = User.objects.get(pk=eve.account.pk)
    by_role(course, ida, eve)
    with pytest.raises(Refused, match="signed out"):
        create_token(user=began, name="late", at=timezone.now())


# --- Every function that writes a role ----------------------------------------------------------

ROOT = Path(webapp.__file__).parent
OWN = "the role of the person who makes the course"
WRITERS = {
    "teaching.courses.services.courses.create_course": OWN,
    "teaching.courses.services.courses.set_role": "role of one",
    "teaching.courses.services.people.change_people": "role of many",
    "teaching.courses.services.roster._add": "roster of another course",
    "teaching.courses.services.roster._change": "roster",
    "teaching.courses.services.roster._carry_out": "roster",
    "flow.lifecycle.services.copying.copy_course": OWN,
    "flow.lifecycle.services.importing._take_in": "course file",
    "flow.lti.services._enrol": "students only",
}


def writers() -> Iterator[str]:
    """Functions in which a row of ``Enrolment`` gets a role, or is asked to be secured."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text()
        if "migrations" in path.parts or "Enrolment" not in text:
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for function in ast.parse(text).body:
            if isinstance(function, ast.FunctionDef) and any(map(_writes, ast.walk(function))):
                yield f"{module}.{function.name}"


def _writes(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        parts = [part for target in targets for part in ast.walk(target)]
        return any(isinstance(part, ast.Attribute) and part.attr == "role" for part in parts)
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    creates = name in {"Enrolment", "create", "get_or_create", "update_or_create", "update"}
    has_role = any(word.arg == "role" for word in node.keywords)
    return (creates and has_role) or name == "secure_staff"


def test_every_function_that_writes_a_role_is_asked_above() -> None:
    assert set(writers()) == WRITERS.keys()
    assert set(WRITERS.values()) <= {*WAYS, OWN, "students only"}
