"""Who is told of what, in which words, and who is not."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW, uploaded
from webapp.accounts.models import User
from webapp.courses.models import Team
from webapp.evaluations.models import Evaluation, Kind
from webapp.notifications.models import Notification, Topic
from webapp.notifications.services import choose_topics, notify, switches

pytestmark = pytest.mark.django_db


def tell(user: User, key: str = "one", **context: object) -> int:
    return notify([user], topic=Topic.DEADLINE, key=key, context=context, at=NOW)


def test_an_event_is_told_once(ada: User) -> None:
    tell(ada)
    tell(ada)
    tell(ada, key="two")
    assert Notification.objects.count() == 2


def test_a_topic_that_is_switched_off_is_not_told(ada: User) -> None:
    choose_topics(user=ada, wanted=[Topic.GRADED])
    assert tell(ada) == 0
    assert [topic for topic, is_on in switches(ada) if is_on] == [Topic.GRADED]


def test_everything_is_switched_on_at_first(ada: User) -> None:
    assert all(is_on for _, is_on in switches(ada))


def test_an_account_that_is_off_is_told_nothing(ada: User) -> None:
    ada.is_active = False
    assert tell(ada) == 0


def test_a_name_cannot_add_a_line_to_the_subject(ada: User) -> None:
    tell(ada, assignment="Hanabi\nBcc: ben@uni.example")
    subject = Notification.objects.get().subject
    assert subject.startswith("Hanabi Bcc: ben@uni.example is due")


def test_text_is_not_escaped_as_if_it_were_a_page(ada: User) -> None:
    tell(ada, assignment="Q&A <1>")
    assert Notification.objects.get().subject.startswith("Q&A <1> is due")


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


def test_who_reads_the_verdict_on_the_site_gets_no_e_mail(team: Team, ada: User) -> None:
    smoke = smoke_of(team)
    fakes.play(smoke)
    client = Client()
    client.force_login(ada)
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


def test_the_profile_saves_which_e_mails_one_wants(ada: User) -> None:
    client = Client()
    client.force_login(ada)
    answer = client.post("/accounts/profile/e-mails/", {"topic": ["graded", "nonsense"]})
    assert answer.status_code == 302
    assert [topic for topic, is_on in switches(ada) if is_on] == [Topic.GRADED]
