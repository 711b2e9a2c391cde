"""Notifications: their recipients and their text."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.support.jobs import request_of
from tests.support.pages import signed_in
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW, uploaded
from webapp.flow import pipeline
from webapp.flow.emails import remind_of_deadlines
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.services import set_points
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.notifications.models import FIRST_PAUSE, Notification, Topic
from webapp.people.notifications.services import notify, switches, withdraw
from webapp.teaching.courses.models import Assignment, EnrolmentState, Team
from webapp.teaching.courses.services import extend_deadline

pytestmark = pytest.mark.django_db


def tell(user: User, key: str = "one", **context: object) -> int:
    return notify([user], topic=Topic.DEADLINE, key=key, context=context, at=NOW)


def test_an_event_is_announced_once(ada: User) -> None:
    tell(ada)
    tell(ada)
    tell(ada, key="two")
    assert Notification.objects.count() == 2


def test_withdrawing_a_notice_for_one_person_keeps_it_for_others(ada: User, ben: User) -> None:
    notify([ada, ben], topic=Topic.VERDICT, key="one", context={}, at=NOW)
    withdraw(topic=Topic.VERDICT, key="one", at=NOW, user=ada)
    assert [each.user for each in Notification.objects.waiting()] == [ben]


def test_no_wait_is_as_long_as_that_of_a_clock_that_was_fast(ada: User) -> None:
    with pytest.raises(ValueError, match="longer than any"):
        notify([ada], topic=Topic.VERDICT, key="one", context={}, at=NOW, wait=2 * FIRST_PAUSE)


def test_a_subject_is_one_line_of_plain_text(ada: User) -> None:
    tell(ada, assignment="Q&A <1>\nBcc: ben@uni.example")
    subject = Notification.objects.get().subject
    assert subject.startswith("Q&A <1> Bcc: ben@uni.example is due")


def smoke_of(team: Team) -> Evaluation:
    return Evaluation.objects.get(submission=uploaded(team), kind=Kind.SMOKE)


def test_a_team_is_told_that_its_upload_does_not_compile(team: Team) -> None:
    smoke = smoke_of(team)
    (job,) = fakes.jobs(smoke)
    record_batch(fakes.built(job, {14: "syntax error"}), at=NOW)
    notification = Notification.objects.get()
    assert "rejected" in notification.subject
    assert "agent.py, line 14: syntax error" in notification.body
    assert f"/submissions/{smoke.submission_id}/" in notification.body
    assert notification.send_after > NOW


def test_a_team_is_told_how_the_first_practice_went(team: Team) -> None:
    smoke = smoke_of(team)
    fakes.play(smoke)
    assert not Notification.objects.exists()
    fakes.play(Evaluation.objects.get(submission=smoke.submission, kind=Kind.PRACTICE))
    notification = Notification.objects.get()
    assert "accepted, all 10 games played without a fault" in notification.subject
    assert "Mean" in notification.body


def test_a_verdict_read_on_the_site_sends_no_e_mail(team: Team, ada: User) -> None:
    smoke = smoke_of(team)
    fakes.play(smoke)
    client = signed_in(ada)
    page = f"/submissions/{smoke.submission_id}/"
    client.get(page)
    fakes.play(Evaluation.objects.get(submission=smoke.submission, kind=Kind.PRACTICE))
    assert Notification.objects.waiting().count() == 1
    client.get(page)
    assert Notification.objects.waiting().count() == 0


def test_a_team_is_told_that_it_was_graded_but_not_its_points(graded: Evaluation) -> None:
    (job,) = fakes.jobs(graded)
    record_batch(fakes.report(job, results=fakes.played(request_of(job))), at=NOW)
    notification = Notification.objects.get(topic=Topic.GRADED)
    assert notification.subject.endswith("was graded")
    assert "points" not in notification.body
    assert notification.send_after - NOW == timedelta(0)


def test_a_member_who_left_the_course_gets_no_mail_about_the_team(
    graded: Evaluation, team: Team, ida: User
) -> None:
    """The pages that it leads to are closed to them."""
    team.assignment.course.enrolments.update(state=EnrolmentState.WITHDRAWN)
    team.assignment.course.enrolments.filter(user=ida).update(state=EnrolmentState.ACTIVE)
    Assignment.objects.update(holds_grades=True)
    fakes.play(graded)
    pipeline.release_grades(assignment=graded.assignment, by=ida)
    given_more_time(team, ida, NOW + timedelta(days=9))
    assert not Notification.objects.exclude(topic=Topic.DEADLINE).exists()


@pytest.mark.parametrize(
    "given", [{"points": Decimal(3)}, {"points": None, "comment": "Well done."}]
)
def test_a_student_who_was_graded_by_hand_alone_is_told_at_the_release(
    assignment: Assignment, ben: User, ida: User, given: dict[str, Any]
) -> None:
    Assignment.objects.update(holds_grades=True)
    place = assignment.course.enrolments.get(user=ben)
    set_points(enrolment=place, assignment=assignment, by=ida, reason="a report", **given)
    assert not Notification.objects.exists()
    pipeline.release_grades(assignment=assignment, by=ida)
    notification = Notification.objects.get()
    assert notification.user == ben
    assert notification.subject == "You were graded in Hanabi"
    assert "/courses/games/assignments/hanabi/my-grade/" in notification.body


def test_a_student_whose_points_by_hand_were_withdrawn_is_told_nothing(
    assignment: Assignment, ben: User, ida: User
) -> None:
    Assignment.objects.update(holds_grades=True)
    place = assignment.course.enrolments.get(user=ben)
    for points in (Decimal(3), None):
        set_points(enrolment=place, assignment=assignment, by=ida, points=points, reason="a slip")
    pipeline.release_grades(assignment=assignment, by=ida)
    assert not Notification.objects.exists()


def test_the_profile_saves_which_e_mails_one_wants(ada: User) -> None:
    assert all(is_on for _, is_on in switches(ada))
    client = signed_in(ada)
    answer = client.post("/accounts/profile/e-mails/", {"topic": ["graded", "nonsense"]})
    assert answer.status_code == 302
    assert [topic for topic, is_on in switches(ada) if is_on] == [Topic.GRADED]
    assert tell(ada) == 0


def test_a_deactivated_account_gets_no_mail(ada: User) -> None:
    ada.is_active = False
    assert tell(ada) == 0


def given_more_time(team: Team, by: User, due_at: datetime | None) -> None:
    pipeline.change_dates(
        course=team.assignment.course,
        by=by,
        change=lambda: extend_deadline(team=team, by=by, due_at=due_at, reason="ill", at=NOW),
        at=NOW,
    )


def test_a_team_is_told_when_it_gets_more_time_then_less_and_when_that_is_taken_back(
    team: Team, ida: User, ada: User
) -> None:
    for until in (NOW + timedelta(days=12), NOW + timedelta(days=9), None):
        given_more_time(team, ida, until)
    back, less, given = Notification.objects.filter(user=ada)
    assert "you have more time" in given.subject
    assert "due Sun 22 Mar 2026" in given.body
    assert "ill" in given.body
    assert "your extension ends earlier than before" in less.subject
    assert "due Thu 19 Mar 2026" in less.body
    assert "withdrawn" in back.subject
    assert "due Tue 17 Mar 2026" in back.body


def test_times_are_the_courses_with_the_readers_own_beside_them(
    assignment: Assignment, team: Team, ida: User, ada: User, ben: User
) -> None:
    User.objects.filter(pk=ada.pk).update(time_zone="Australia/Perth")
    User.objects.filter(pk=ben.pk).update(time_zone="Europe/Berlin")
    given_more_time(team, ida, assignment.due_at + timedelta(hours=9))
    given = Notification.objects.get(topic=Topic.EXTENSION)
    assert "due Tue 17 Mar 2026, 22:00 CET. That is Wed 18 Mar, 05:00 AWST in your" in given.body
    remind_of_deadlines(at=assignment.due_at - timedelta(hours=3))
    letters = Notification.objects.filter(topic=Topic.DEADLINE)
    bodies = {letter.user: letter.body for letter in letters}
    assert "In your time zone, it is due Wed 18 Mar, 05:00 AWST." in bodies[ada]
    assert "In your time zone" not in bodies[ben]


def test_a_student_without_upload_is_reminded_once_the_day_before(
    assignment: Assignment, ada: User, ben: User
) -> None:
    due_at = assignment.due_at
    assert remind_of_deadlines(at=due_at - timedelta(hours=25)) == 0
    remind_of_deadlines(at=due_at - timedelta(hours=24))
    remind_of_deadlines(at=due_at - timedelta(hours=12))
    assert {each.user for each in Notification.objects.all()} == {ada, ben}
    assert Notification.objects.count() == 2


def test_a_team_with_an_upload_that_counts_is_not_reminded(
    assignment: Assignment, team: Team, ben: User, ready: Callable[..., Submission]
) -> None:
    ready(team)
    remind_of_deadlines(at=assignment.due_at - timedelta(hours=3))
    assert [each.user for each in Notification.objects.filter(topic=Topic.DEADLINE)] == [ben]


def test_a_team_whose_upload_waits_for_its_test_is_reminded_only_if_it_is_rejected(
    assignment: Assignment, team: Team, ada: User, ben: User
) -> None:
    upload = uploaded(team)
    deadlines = Notification.objects.filter(topic=Topic.DEADLINE)
    remind_of_deadlines(at=assignment.due_at - timedelta(hours=3))
    assert [each.user for each in deadlines.all()] == [ben]
    Submission.objects.filter(pk=upload.pk).update(status="rejected")
    remind_of_deadlines(at=assignment.due_at - timedelta(hours=2))
    assert {each.user for each in deadlines.all()} == {ada, ben}


def test_more_time_moves_the_reminder(
    assignment: Assignment, team: Team, ida: User, ada: User
) -> None:
    given_more_time(team, ida, assignment.due_at + timedelta(days=2))
    deadlines = Notification.objects.filter(topic=Topic.DEADLINE)
    remind_of_deadlines(at=assignment.due_at - timedelta(hours=3))
    assert not deadlines.exists()
    remind_of_deadlines(at=assignment.due_at + timedelta(days=1, hours=3))
    assert [each.user for each in deadlines] == [ada]
