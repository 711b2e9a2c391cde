"""Points by hand and regrade requests: reasons, the audit log, and what the student sees."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import answer_regrade
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import ManualPoints, Outcome
from webapp.grading.gradebook.points import all_points, own_points_of
from webapp.grading.gradebook.services import ask_regrade, restore_points, set_points
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification, Topic
from webapp.people.notifications.services import choose_topics
from webapp.teaching.courses.models import Assignment, Enrolment, Role, Team
from webapp.teaching.courses.services import join_team


@pytest.fixture
def place(assignment: Assignment, ada: User) -> Enrolment:
    return assignment.course.enrolments.get(user=ada)


def total(assignment: Assignment, user: User) -> Decimal | None:
    points = own_points_of(user, assignment)
    return None if points is None else points.total


@pytest.fixture
def give(assignment: Assignment, ada: User, ida: User, place: Enrolment) -> Callable[..., Any]:
    """Give Ada points by hand; return what she has then."""

    def give(points: int | None, **how: Any) -> Decimal | None:
        worth = None if points is None else Decimal(points)
        how = {"enrolment": place, "assignment": assignment, "by": ida, "reason": "Oral exam"} | how
        set_points(points=worth, **how)
        return total(assignment, ada)

    return give


def test_points_are_added_or_replace_and_can_be_taken_back(
    graded: Evaluation, ada: User, ida: User, give: Callable[..., Any]
) -> None:
    fakes.play(graded, lambda _: 17)
    assert give(5) == 107
    assert give(-200) == 0
    assert give(90, replaces=True) == 90
    assert give(None) == 102
    acts = Act.objects.filter(kind="grade.points").order_by("pk")
    changes = [(act.before["points"], act.after["points"]) for act in acts]
    assert changes == [
        ("102.00", "107.00"), ("107.00", "0.00"), ("0.00", "90.00"), ("90.00", "102.00"),
    ]  # fmt: skip
    assert {(act.person_id, act.by_id, act.reason) for act in acts} == {
        (ada.pk, ida.pk, "Oral exam")
    }


def test_the_points_that_were_given_last_hold_also_if_a_clock_was_fast(
    assignment: Assignment, ada: User, ida: User, give: Callable[..., Any]
) -> None:
    give(50, at=NOW + timedelta(minutes=10))
    assert give(95, at=NOW) == 95
    given = ManualPoints.objects.latest("pk")
    restore_points(given=given, by=ida, reason="A slip", at=NOW)
    assert total(assignment, ada) == 50


def test_points_that_are_deducted_before_games_are_graded_are_no_result_yet(
    give: Callable[..., Any], team: Team
) -> None:
    assert give(-5) is None
    assert give(5) == 5


def test_points_need_a_reason_and_the_right_to_grade(
    assignment: Assignment, ada: User, ida: User, place: Enrolment, enrol: Callable[..., User]
) -> None:
    observer = enrol("Otto", Role.OBSERVER)
    for by in (ada, observer):
        with pytest.raises(NotAllowed):
            set_points(enrolment=place, assignment=assignment, by=by, points=None, reason="x")
    with pytest.raises(ValidationError):
        set_points(enrolment=place, assignment=assignment, by=ida, points=Decimal(1), reason=" ")
    assert not ManualPoints.objects.exists()


def test_points_can_be_given_to_a_whole_team(
    assignment: Assignment, team: Team, ben: User, give: Callable[..., Any]
) -> None:
    join_team(user=ben, assignment=assignment, join_code=team.join_code, at=NOW)
    give(3, with_partners=True)
    assert {points.total for points in all_points([assignment]).values()} == {3}


def test_a_request_is_made_once_answered_with_a_reason_and_announced(
    graded: Evaluation, assignment: Assignment, ada: User, ida: User
) -> None:
    with pytest.raises(Refused, match="no released grade"):
        ask_regrade(assignment=assignment, user=ada, text="Game 3 was lost by the grader.")
    fakes.play(graded, lambda _: 17)
    set_points(
        enrolment=assignment.course.enrolments.get(user=ada), assignment=assignment, by=ida,
        points=None, comment="Well told.", reason="Read it",
    )  # fmt: skip
    request = ask_regrade(assignment=assignment, user=ada, text="Game 3 was lost by the grader.")
    with pytest.raises(Refused, match="is still open"):
        ask_regrade(assignment=assignment, user=ada, text="And game 4.")
    with pytest.raises(NotAllowed):
        answer_regrade(request=request, by=ada, outcome="kept", answer="Yes")
    with pytest.raises(Refused, match="Give a reason"):
        answer_regrade(request=request, by=ida, outcome="kept", answer=" ")
    answer_regrade(
        request=request, by=ida, outcome="changed", answer="You are right.", points=Decimal(104)
    )
    assert total(assignment, ada) == 104
    assert assignment.manual_points.latest("pk").comment == "Well told."
    request.refresh_from_db()
    assert (request.outcome, request.points) == (Outcome.CHANGED, 102)
    with pytest.raises(Refused, match="has been answered already"):
        answer_regrade(request=request, by=ida, outcome="kept", answer="Again")
    letter = Notification.objects.get(topic=Topic.REGRADE)
    assert letter.user == ada
    assert "/my-grade/" in letter.body
    assert "104" not in letter.subject + letter.body
    kinds = Act.objects.filter(kind__startswith="regrade").order_by("pk").values_list("kind")
    assert [kind for (kind,) in kinds] == ["regrade.asked", "regrade.answered"]


def test_a_student_can_switch_off_the_e_mail_about_an_answer(
    graded: Evaluation, assignment: Assignment, ada: User, ida: User
) -> None:
    fakes.play(graded)
    choose_topics(user=ada, wanted=[topic for topic in Topic.values if topic != Topic.REGRADE])
    request = ask_regrade(assignment=assignment, user=ada, text="Why?")
    answer_regrade(request=request, by=ida, outcome="kept", answer="By the scheme.")
    assert not Notification.objects.filter(topic=Topic.REGRADE).exists()


def test_held_grades_cannot_be_asked_about(
    graded: Evaluation, assignment: Assignment, ada: User
) -> None:
    fakes.play(graded)
    Assignment.objects.update(holds_grades=True)
    assignment.refresh_from_db()
    with pytest.raises(Refused, match="no released grade"):
        ask_regrade(assignment=assignment, user=ada, text="Why?")


def test_an_answer_can_have_the_games_played_again(
    graded: Evaluation, assignment: Assignment, ada: User, ida: User
) -> None:
    fakes.play(graded)
    request = ask_regrade(assignment=assignment, user=ada, text="A grader was broken.")
    answer_regrade(request=request, by=ida, outcome="replayed", answer="It was.", at=NOW)
    again = Evaluation.objects.filter(kind="graded").latest("pk")
    assert (again.is_open, again.submission) == (True, graded.submission)
