"""E-mails to operators on failures, without repetition."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from tests.support.graders import GRADER_KEY, a_report
from tests.webapp.conftest import NOW
from webapp.flow.alerting import tell_of_background_worker, tell_operators
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.services import grade_team
from webapp.grading.operations.models import Grader, Sign
from webapp.grading.operations.services import record_grader
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification, Topic
from webapp.people.notifications.services import switches
from webapp.teaching.courses.models import Course, Team

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def operator(db: None) -> User:
    return User.objects.create_superuser("operator@uni.example", display_name="Otto")


def subjects() -> list[str]:
    return list(Notification.objects.order_by("pk").values_list("subject", flat=True))


def silence(name: str, *, seconds: int) -> None:
    record_grader(
        a_report(name=name, sent_at=NOW - timedelta(seconds=seconds)), key=GRADER_KEY, at=NOW
    )
    Grader.objects.filter(name=name).update(seen_at=NOW - timedelta(seconds=seconds))


def test_failed_evaluations_are_told_once_an_hour(graded: Evaluation) -> None:
    graded.advance(Status.FAILED, system_fault="no space left")
    for minutes in (0, 1, 59):
        tell_operators(at=NOW + timedelta(minutes=minutes))
    assert subjects() == ["1 evaluation failed: Hanabi"]
    tell_operators(at=NOW + timedelta(hours=1))
    assert len(subjects()) == 2


def test_failed_evaluations_that_nobody_can_send_again_are_not_told(
    graded: Evaluation, team: Team, ida: User
) -> None:
    graded.advance(Status.FAILED, system_fault="no space left")
    Course.objects.update(archived_at=NOW)
    tell_operators(at=NOW)
    assert subjects() == []
    Course.objects.update(archived_at=None)
    newer = grade_team(team=team, by=ida, at=NOW)
    tell_operators(at=NOW)
    assert subjects() == []
    newer.advance(Status.CANCELLED)
    tell_operators(at=NOW)
    assert subjects() == ["1 evaluation failed: Hanabi"]


def test_a_grader_is_silent_after_a_minute() -> None:
    silence("games@host", seconds=59)
    tell_operators(at=NOW)
    assert subjects() == []
    tell_operators(at=NOW + timedelta(seconds=1))
    assert subjects() == ["1 grader silent"]
    body = Notification.objects.get().body
    assert "games@host" in body
    assert "Check that each machine is running and can reach the broker." in body


def test_operators_are_told_again_only_when_another_grader_falls_silent() -> None:
    silence("games@host", seconds=90)
    for _ in range(3):
        tell_operators(at=NOW)
    silence("smoke@host", seconds=70)
    tell_operators(at=NOW + timedelta(minutes=15))
    assert subjects() == ["1 grader silent", "2 graders silent"]


def test_graders_that_fall_silent_one_after_another_are_told_in_bundles() -> None:
    """As after a rack lost its network: not an e-mail for each of them."""
    for number in range(20):
        silence(f"games@host-{number:02}", seconds=60)
        Grader.objects.filter(name=f"games@host-{number:02}").update(
            seen_at=NOW + timedelta(seconds=24 * number - 60)
        )
    for seconds in range(0, 20 * 60, 15):
        tell_operators(at=NOW + timedelta(seconds=seconds))
    assert subjects() == ["1 grader silent", "20 graders silent"]


@pytest.mark.parametrize("late", ["by its sign", "by its absence"])
def test_silence_is_judged_against_the_age_of_what_is_recorded(late: str) -> None:
    """Reports that are 25 s old are recorded at present: 80 s are no silence, 90 s are."""
    old, lag = (0, 25) if late == "by its sign" else (35, 0)
    Sign.objects.create(name="results", at=NOW - timedelta(seconds=old), lag_seconds=lag)
    silence("games@host", seconds=80)
    tell_operators(at=NOW)
    assert subjects() == []
    silence("games@host", seconds=90)
    tell_operators(at=NOW)
    assert subjects() == ["1 grader silent"]


def test_graders_are_not_blamed_while_reports_wait_for_the_site() -> None:
    silence("games@host", seconds=90)
    Sign.objects.create(name="results", at=NOW, lag_seconds=80)
    tell_operators(at=NOW)
    assert subjects() == []


def leave_signs(*, results: int, background: int, minutes: int = 60) -> None:
    """Leave the last signs of both workers, by their age in seconds; they began that long ago."""
    for name, seconds in (("results", results), ("tick", results), ("background", background)):
        Sign.objects.create(
            name=name,
            at=NOW - timedelta(seconds=seconds),
            since=NOW - timedelta(minutes=minutes),
        )


def test_results_workers_that_stopped_are_told_once_an_hour() -> None:
    leave_signs(results=61, background=1)
    for _ in range(2):
        tell_operators(at=NOW)
    assert subjects() == ["firebox-results is silent"]
    assert "records reports of graders" in Notification.objects.get().body
    Sign.objects.update(at=NOW + timedelta(minutes=59))
    tell_operators(at=NOW + timedelta(minutes=59))
    Sign.objects.filter(name="background").update(at=NOW + timedelta(minutes=62))
    tell_operators(at=NOW + timedelta(minutes=62))
    assert len(subjects()) == 2


@pytest.mark.parametrize(
    ("tell", "results", "background", "minutes", "begins"),
    [
        (tell_operators, 61, 1, 1, ""),
        (tell_operators, 300, 300, 60, "background"),
        (tell_of_background_worker, 700, 700, 60, "tick"),
        (tell_of_background_worker, 1, 91, 60, ""),
        (tell_of_background_worker, 1, 599, 60, ""),
    ],
)
def test_workers_get_time_to_start_after_the_others_and_for_one_long_task(
    tell: Callable[..., int], results: int, background: int, minutes: int, begins: str
) -> None:
    leave_signs(results=results, background=background, minutes=minutes)
    tell(at=NOW)
    Sign.objects.filter(name=begins).update(at=NOW, since=NOW)
    tell(at=NOW)
    assert subjects() == []


def test_a_background_worker_that_stopped_is_told_by_the_others_at_once(
    operator: User, mailoutbox: list[EmailMessage]
) -> None:
    Notification.objects.create(
        user=operator, topic=Topic.VERDICT, key="1", subject="s", body="b",
        created_at=NOW, send_after=NOW,
    )  # fmt: skip
    leave_signs(results=1, background=601)
    for _ in range(2):
        tell_of_background_worker(at=NOW)
    (message,) = mailoutbox
    assert message.to == [operator.email]
    assert "firebox-background is silent" in message.subject
    assert "sends mail" in message.body


def test_a_mail_server_that_is_away_is_tried_once_an_hour(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    leave_signs(results=1, background=601)
    for _ in range(2):
        assert tell_of_background_worker(at=NOW) == 0
    assert caplog.text.count("the mail server is away") == 1
    assert subjects() == ["firebox-background is silent"]


def test_only_operators_are_told_and_offered_it(operator: User, ida: User) -> None:
    silence("games@host", seconds=90)
    tell_operators(at=NOW)
    assert list(Notification.objects.values_list("user", flat=True)) == [operator.pk]
    assert Topic.OPERATIONS in dict(switches(operator))
    assert Topic.OPERATIONS not in dict(switches(ida))
