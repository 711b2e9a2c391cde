"""Import of people: the preview says what is done, and all of it is done or nothing."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.invitations import accept_invitation, invited_user
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Course, EnrolmentState, Role
from webapp.teaching.courses.roster.formats import RosterEntry
from webapp.teaching.courses.roster.planning import ImportOutcome, RosterPlan, plan_import
from webapp.teaching.courses.services import change_people, import_people, invite_again

pytestmark = pytest.mark.django_db


def entry(name: str, line: int = 2, **values: Any) -> RosterEntry:
    usual = {"email": f"{name.lower()}@uni.example", "number": "", "section": "", "role": ""}
    return RosterEntry(line=line, name=name, **{**usual, **values})


def bring_in(course: Course, by: User, *people: RosterEntry, **options: Any) -> RosterPlan:
    previewed = plan_import(course, people).digest
    return import_people(course=course, by=by, entries=people, previewed=previewed, **options)


def outcomes(course: Course, *people: RosterEntry) -> list[ImportOutcome]:
    return [line.outcome for line in plan_import(course, people).lines]


def errors(course: Course, *people: RosterEntry) -> str:
    return " ".join(error for line in plan_import(course, people).lines for error in line.errors)


def test_the_plan_says_who_is_added_changed_and_left_alone(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    plan = plan_import(course, [entry("Ada"), entry("Ben", section="Monday"), entry("Dan")])
    assert [line.outcome for line in plan.lines] == [
        ImportOutcome.SAME,
        ImportOutcome.CHANGED,
        ImportOutcome.ADDED,
    ]
    assert plan.new_sections == ("Monday",)
    assert plan.missing == ()
    assert [place.user for place in plan_import(course, [entry("Ada")]).missing] == [ben]


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("student/in", Role.STUDENT),
        ("étudiant", Role.STUDENT),
        ("profesor sin permiso de edición", Role.ASSISTANT),
        ("trainer/in", Role.INSTRUCTOR),
    ],
)
def test_roles_are_known_in_other_languages(word: str, role: Role, course: Course) -> None:
    (line,) = plan_import(course, [entry("Dan", role=word)]).lines
    assert (line.role, line.errors) == (role, [])


def test_an_import_adds_and_changes_and_says_so_in_the_log(
    course: Course, ida: User, ada: User
) -> None:
    bring_in(
        course,
        ida,
        entry("Ada", number="501", section="Monday"),
        entry("Dan", role="assistant"),
        reason="Term begins",
    )
    place = course.enrolments.get(user=ada)
    assert (place.student_number, str(place.section)) == ("501", "Monday")
    dan = course.enrolments.get(user__email="dan@uni.example")
    assert dan.role == Role.ASSISTANT
    assert not dan.user.has_usable_password()
    acts = Act.objects.filter(reason="Term begins")
    assert sorted(acts.values_list("kind", flat=True)) == [
        "people.added",
        "people.number",
        "people.section",
        "section.created",
    ]


def test_the_same_file_again_changes_nothing(course: Course, ida: User) -> None:
    people = [entry("Dan", number="7", section="Monday")]
    bring_in(course, ida, *people)
    acts = Act.objects.count()
    assert [line.outcome for line in bring_in(course, ida, *people).lines] == [ImportOutcome.SAME]
    assert Act.objects.count() == acts


def test_without_an_address_a_student_number_finds_the_person(
    course: Course, ida: User, ada: User
) -> None:
    course.enrolments.filter(user=ada).update(student_number="501")
    [line] = plan_import(course, [entry("A.", email="", number="501", section="Lab")]).lines
    assert (line.outcome, line.account) == (ImportOutcome.CHANGED, ada)


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ([entry("Dan", email="")], "e-mail address is missing"),
        ([entry("Dan", email="dan")], "not an e-mail address"),
        ([entry("Dan", email="d" * 243 + "@uni.example")], "e-mail address is too long"),
        ([entry("", email="d@uni.example")], "name is missing"),
        ([entry("Dan"), entry("Dan", line=3)], "more than once"),
        ([entry("Dan", number="1"), entry("Eve", number="1")], "number is in the file more than"),
        ([entry("Dan", number="501")], "Ada has this student number"),
        ([entry("Dan", role="dean")], "is not a role here"),
        ([entry("Dan", section="x" * 61)], "too long"),
        ([entry("D\u202ean", email="d@uni.example")], "invisible"),
    ],
)
def test_a_wrong_line_says_why(
    people: list[RosterEntry], words: str, course: Course, ada: User
) -> None:
    course.enrolments.filter(user=ada).update(student_number="501")
    assert words in errors(course, *people)


def test_a_full_course_takes_nobody_more(course: Course, ida: User, ada: User) -> None:
    course.places = 3
    assert outcomes(course, entry("Dan"), entry("Eve", line=3)) == [
        ImportOutcome.ADDED,
        ImportOutcome.WRONG,
    ]


def test_wrong_lines_stop_the_import_unless_they_are_left_out(course: Course, ida: User) -> None:
    people = [entry("Dan"), entry("Eve", email="eve")]
    with pytest.raises(Refused, match="have errors"):
        bring_in(course, ida, *people)
    assert not User.objects.filter(email="dan@uni.example").exists()
    bring_in(course, ida, *people, skip_wrong=True)
    assert course.enrolments.filter(user__email="dan@uni.example").exists()


def test_an_import_without_its_preview_is_refused(course: Course, ida: User, ada: User) -> None:
    people = [entry("Ada", section="Monday")]
    previewed = plan_import(course, people).digest
    change_people(
        course=course,
        by=ida,
        enrolments=list(course.enrolments.filter(user=ada)),
        state=EnrolmentState.REMOVED,
        reason="Left",
    )
    with pytest.raises(Refused, match="changed since"):
        import_people(course=course, by=ida, entries=people, previewed=previewed)


def test_people_missing_from_the_file_can_be_withdrawn_with_a_reason(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    with pytest.raises(Refused, match="reason"):
        bring_in(course, ida, entry("Ada"), withdraw_missing=True)
    bring_in(course, ida, entry("Ada"), withdraw_missing=True, reason="Registrar's list")
    states = dict(course.enrolments.values_list("user", "state"))
    assert (states[ada.pk], states[ben.pk], states[ida.pk]) == ("active", "withdrawn", "active")


@pytest.mark.parametrize("state", [EnrolmentState.WITHDRAWN, EnrolmentState.REMOVED])
def test_who_has_left_is_not_missing(
    state: EnrolmentState, course: Course, ada: User, ben: User
) -> None:
    course.enrolments.filter(user=ben).update(state=state)
    assert plan_import(course, [entry("Ada")]).missing == ()


def test_while_lines_are_wrong_nobody_is_taken_for_missing(
    course: Course, ida: User, ada: User, ben: User
) -> None:
    people = [entry("Ada"), entry("Ben", email="ben at uni.example")]
    options = {"skip_wrong": True, "withdraw_missing": True, "reason": "Registrar's list"}
    with pytest.raises(Refused, match="correct the file"):
        bring_in(course, ida, *people, **options)
    assert course.enrolments.get(user=ben).state == EnrolmentState.ACTIVE


def test_a_person_in_the_file_who_had_left_is_enrolled_again(
    course: Course, ida: User, ada: User
) -> None:
    course.enrolments.filter(user=ada).update(state=EnrolmentState.WITHDRAWN)
    bring_in(course, ida, entry("Ada"))
    assert course.enrolments.get(user=ada).state == EnrolmentState.ACTIVE


def test_an_invitation_brings_an_account_to_its_owner_once(course: Course, ida: User) -> None:
    bring_in(course, ida, entry("Dan"))
    letter = Notification.objects.get(topic="invitation")
    assert (letter.user.email, "Games" in letter.subject) == ("dan@uni.example", True)
    [token] = re.findall(r"/accounts/invitation/([^/\s]+)/", letter.body)
    dan = invited_user(token)
    assert dan == letter.user
    assert invited_user(token[:-1]) is None
    accept_invitation(user=dan, display_name="Dan", password="a-long-enough-one")
    assert invited_user(token) is None


def test_people_with_an_account_get_a_link_to_the_course(
    course: Course, ida: User, outsider: User
) -> None:
    outsider.set_password("a-long-enough-one")
    outsider.save()
    bring_in(course, ida, entry("Olga"))
    assert "/courses/games/" in Notification.objects.get(user=outsider).body


def test_invitations_are_sent_again_to_people_who_never_came(
    course: Course, ida: User, enrol: Callable[..., User]
) -> None:
    bring_in(course, ida, entry("Dan"), invite=False)
    assert not Notification.objects.exists()
    everybody = list(course.enrolments.select_related("user"))
    waiting = sum(not place.user.has_usable_password() for place in everybody)
    assert invite_again(course=course, by=ida, enrolments=everybody) == waiting


def test_an_account_that_was_made_meanwhile_is_enrolled(
    course: Course, ida: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plan_then_register(*arguments: Any) -> RosterPlan:
        plan = plan_import(*arguments)
        User.objects.create_user("dan@uni.example", display_name="Daniel")
        return plan

    monkeypatch.setattr("webapp.teaching.courses.services.roster.plan_import", plan_then_register)
    bring_in(course, ida, entry("Dan"), entry("Eve"))
    places = course.enrolments.filter(user__display_name__in=["Daniel", "Eve"])
    assert places.count() == 2


def test_only_instructors_import(course: Course, enrol: Callable[..., User]) -> None:
    cleo = enrol("Cleo", role=Role.ASSISTANT)
    with pytest.raises(NotAllowed):
        bring_in(course, cleo, entry("Dan"))
