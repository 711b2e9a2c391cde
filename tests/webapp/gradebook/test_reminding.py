"""Staff remind chosen students who have uploaded nothing."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from tests.webapp.conftest import NOW, uploaded
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.emails import remind_of_deadlines
from webapp.grading.gradebook.services import Reminder, remind, reminder_of
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification, Topic
from webapp.people.notifications.services import choose_topics
from webapp.teaching.courses.models import Assignment, Enrolment, Role, Team

pytestmark = pytest.mark.django_db

WORDS = "Come to the tutorial on Monday."


@pytest.fixture
def bens(assignment: Assignment, ben: User) -> Enrolment:
    """The place of Ben, who is in no team."""
    return assignment.course.enrolments.select_related("user").get(user=ben)


@pytest.fixture
def send(assignment: Assignment, team: Team, bens: Enrolment, ida: User) -> Callable[..., Reminder]:
    def call(**changes: object) -> Reminder:
        usual = {"teams": [team], "students": [bens], "by": ida, "message": WORDS, "at": NOW}
        return remind(assignment=assignment, **(usual | changes))  # type: ignore[arg-type]

    return call


def readers() -> list[str]:
    sent = Notification.objects.filter(topic=Topic.REMINDER)
    return sorted(str(letter.user) for letter in sent)


def test_a_reminder_has_the_message_the_due_date_and_a_row_in_the_log(
    send: Callable[..., Reminder], team: Team, ida: User, ben: User
) -> None:
    assert len(send().readers) == 2
    letter = Notification.objects.get(topic=Topic.REMINDER, user=ben)
    assert letter.subject.endswith("nothing uploaded yet")
    assert (
        f"Ida sent you this reminder because you have not uploaded anything yet:\n\n{WORDS}"
        in letter.body
    )
    assert "is due Tue 17 Mar, 13:00 CET" in letter.body
    rows = Act.objects.filter(kind="dates.reminded").order_by("pk")
    assert [(row.team_id, row.person_id) for row in rows] == [(team.pk, None), (None, ben.pk)]
    assert {(row.by, row.reason, row.at) for row in rows} == {(ida, WORDS, NOW)}


def test_a_team_that_has_uploaded_gets_none_accepted_or_not(
    send: Callable[..., Reminder], team: Team
) -> None:
    uploaded(team)
    assert send().uploaded == 1
    assert readers() == ["Ben"]
    assert Act.objects.filter(kind="dates.reminded").count() == 1


def test_nobody_is_reminded_twice_within_a_day(send: Callable[..., Reminder]) -> None:
    send()
    with pytest.raises(Refused, match="None of them gets an e-mail"):
        send(at=NOW + timedelta(hours=23))
    assert len(readers()) == 2
    send(at=NOW + timedelta(hours=24))
    assert len(readers()) == 4


def test_the_sites_own_reminder_and_that_of_staff_keep_a_day_apart(
    send: Callable[..., Reminder], assignment: Assignment
) -> None:
    last_day = assignment.due_at - timedelta(hours=23)
    send(at=last_day - timedelta(hours=2))
    assert remind_of_deadlines(at=last_day) == 0
    assert remind_of_deadlines(at=last_day + timedelta(hours=22)) == 2
    with pytest.raises(Refused):
        send(at=assignment.due_at)


def test_who_has_switched_reminders_off_is_counted_and_gets_none(
    send: Callable[..., Reminder], assignment: Assignment, team: Team, bens: Enrolment
) -> None:
    choose_topics(user=bens.user, wanted=set(Topic) - {Topic.REMINDER})
    told = reminder_of(assignment, [team], [bens], at=NOW)
    assert (len(told.readers), told.switched_off, told.lately) == (1, 1, 0)
    send()
    assert readers() == ["Ada"]
    assert Act.objects.filter(kind="dates.reminded").count() == 1


def test_after_the_deadline_the_e_mail_says_that_it_is_over(send: Callable[..., Reminder]) -> None:
    send(at=NOW + timedelta(days=8))
    body = Notification.objects.filter(topic=Topic.REMINDER)[0].body
    assert "Your work was due Tue 17 Mar, 13:00 CET, and uploads no longer count." in body


@pytest.mark.parametrize("message", [" ", "x" * 501])
def test_a_reminder_needs_a_message_of_at_most_500_characters(
    send: Callable[..., Reminder], message: str
) -> None:
    with pytest.raises(ValidationError):
        send(message=message)
    assert not Notification.objects.exists()


def test_reminders_end_when_the_deals_are_revealed_and_begin_with_the_assignment(
    send: Callable[..., Reminder], assignment: Assignment
) -> None:
    with pytest.raises(Refused, match="not opened"):
        send(at=assignment.opens_at - timedelta(minutes=1))
    Assignment.objects.update(secret_revealed_at=NOW)
    with pytest.raises(Refused, match="revealed"):
        send()


def test_only_staff_who_may_announce_remind(
    send: Callable[..., Reminder], enrol: Callable[..., User], ada: User
) -> None:
    for by in (ada, enrol("Gus", Role.GRADER), enrol("Otto", Role.OBSERVER)):
        with pytest.raises(NotAllowed):
            send(by=by)
    send(by=enrol("Tess", Role.ASSISTANT))
