"""Notifications reach a real mail server, once, and wait while there is none."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.core.mail.backends.smtp import EmailBackend
from django.core.validators import validate_email
from django.utils import timezone
from pytest_django import Settings

from tests.support.mail import Mailbox, mail_server
from tests.webapp.conftest import NOW, person
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.clearing import clear_away
from webapp.flow.tasks import send_notifications
from webapp.people.accounts.models import User
from webapp.people.notifications.models import MAX_ATTEMPTS, Notification, Topic, pause_after
from webapp.people.notifications.sending import KEPT, send_due

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    with mail_server() as mailbox:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = mailbox.port
        settings.EMAIL_USE_TLS = False
        yield mailbox


@pytest.fixture
def ada() -> User:
    return person("Ada")


def queued(
    user: User, key: str = "one", subject: str = "Graded", at: datetime = NOW
) -> Notification:
    return Notification.objects.create(
        user=user,
        topic=Topic.GRADED,
        key=key,
        subject=subject,
        body="See how it played.\n",
        created_at=at,
        send_after=at,
    )


def test_a_message_arrives_as_it_was_written(ada: User, mailbox: Mailbox) -> None:
    queued(ada, subject="Grüße – graded", at=timezone.now())
    send_notifications()
    (message,) = mailbox.messages
    assert message["To"] == "ada@uni.example"
    assert message["Subject"] == "Grüße – graded"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content().strip() == "See how it played."
    assert Notification.objects.get().sent_at is not None


def test_mail_is_sent_once_when_it_is_due(ada: User, mailbox: Mailbox) -> None:
    queued(ada)
    assert send_due(at=NOW - timedelta(seconds=1)) == 0
    assert send_due(at=NOW) == 1
    assert send_due(at=NOW + timedelta(days=1)) == 0
    assert len(mailbox.messages) == 1


@pytest.mark.parametrize("attempts", [0, 1, MAX_ATTEMPTS - 1])
def test_a_clock_that_was_two_hours_fast_holds_no_mail_back(
    ada: User, mailbox: Mailbox, attempts: int
) -> None:
    planned = NOW + pause_after(attempts)
    mail = queued(ada, at=planned)
    Notification.objects.update(attempts=attempts)
    assert send_due(at=NOW - timedelta(minutes=50)) == 0
    assert send_due(at=NOW) == 0
    mail.send_after = planned + timedelta(hours=2)
    mail.attempts = attempts
    mail.save()
    assert send_due(at=NOW) == 1
    assert len(mailbox.messages) == 1


def test_a_server_that_is_away_costs_no_attempt(
    ada: User, mailbox: Mailbox, settings: Settings
) -> None:
    queued(ada)
    settings.EMAIL_PORT = 1
    assert send_due(at=NOW) == 0
    assert Notification.objects.get().attempts == 0
    settings.EMAIL_PORT = mailbox.port
    assert send_due(at=NOW) == 1


def test_an_address_that_does_not_exist_is_given_up_and_others_get_theirs(
    ada: User, mailbox: Mailbox
) -> None:
    mailbox.answers["ada@uni.example"] = "550 no such user"
    refused = queued(ada)
    queued(person("Ben"))
    assert send_due(at=NOW) == 1
    refused.refresh_from_db()
    assert refused.given_up_at == NOW
    assert "no such user" in refused.error


def test_an_address_that_no_header_can_hold_is_not_tried_for_ever_and_others_get_theirs(
    ada: User, mailbox: Mailbox
) -> None:
    """Django's validator takes it, so anyone may register with it."""
    ada.email = '"\va:"@uni.example'
    validate_email(ada.email)
    ada.save()
    unfit = queued(ada)
    queued(person("Ben"))
    assert send_due(at=NOW) == 1
    unfit.refresh_from_db()
    assert "header" in unfit.error
    Notification.objects.filter(pk=unfit.pk).update(attempts=MAX_ATTEMPTS - 1, send_after=NOW)
    assert send_due(at=NOW) == 0
    unfit.refresh_from_db()
    assert unfit.given_up_at == NOW
    assert [message["To"] for message in mailbox.messages] == ["ben@uni.example"]


def test_a_full_mailbox_is_tried_again_with_growing_pauses_and_not_for_ever(
    ada: User, mailbox: Mailbox
) -> None:
    mailbox.answers["ada@uni.example"] = "452 mailbox full"
    notification = queued(ada)
    now, pauses = NOW, []
    for _ in range(MAX_ATTEMPTS):
        assert notification.given_up_at is None
        assert send_due(at=now) == 0
        notification.refresh_from_db()
        pauses.append(notification.send_after - now)
        now = notification.send_after
    assert pauses[:3] == [timedelta(minutes=2), timedelta(minutes=4), timedelta(minutes=8)]
    assert notification.attempts == MAX_ATTEMPTS
    assert notification.given_up_at is not None
    assert "mailbox full" in notification.error


def test_a_server_that_ends_the_connection_costs_other_messages_no_attempt(
    ada: User, mailbox: Mailbox
) -> None:
    """As after the most messages that it takes over one connection."""
    mailbox.answers["ada@uni.example"] = "421 too many messages in this connection"
    ended, other = queued(ada), queued(person("Ben"))
    assert send_due(at=NOW) == 1
    ended.refresh_from_db()
    assert (ended.attempts, ended.given_up_at) == (1, None)
    other.refresh_from_db()
    assert other.sent_at == NOW


def test_messages_behind_the_one_at_which_the_server_went_away_stay_due(
    ada: User, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox.answers["ada@uni.example"] = "421 shutting down"
    queued(ada)
    waiting = queued(person("Ben"))
    connect, tries = EmailBackend.open, []

    def connect_once(backend: EmailBackend) -> bool | None:
        tries.append(True)
        if backend.connection is None and len(tries) > 2:
            raise ConnectionRefusedError("connection refused")
        return connect(backend)

    monkeypatch.setattr(EmailBackend, "open", connect_once)
    assert send_due(at=NOW) == 0
    waiting.refresh_from_db()
    assert (waiting.attempts, waiting.send_after) == (0, NOW)


def test_a_message_that_another_worker_has_just_claimed_is_left_to_it(
    ada: User, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    notification = queued(ada)
    opened = []

    def claim_elsewhere(*_: object) -> None:
        Notification.objects.filter(pk=notification.pk).update(attempts=1)
        opened.append(True)

    monkeypatch.setattr("django.core.mail.backends.smtp.EmailBackend.open", claim_elsewhere)
    assert send_due(at=NOW) == 0
    assert opened
    assert mailbox.messages == []


def test_old_notifications_are_deleted(ada: User) -> None:
    queued(ada)
    clear_away(BatchDeadline(None), at=NOW + KEPT)
    assert Notification.objects.count() == 1
    clear_away(BatchDeadline(None), at=NOW + KEPT + timedelta(seconds=1))
    assert not Notification.objects.exists()
