"""Send the notifications that are due, over one connection to the mail server while that is open.

An attempt is counted before it is made, so a worker that dies in the middle sends a message twice
at most.
"""

import logging
from datetime import datetime, timedelta
from email.errors import MessageError
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Final

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from webapp.people.notifications.models import MAX_ATTEMPTS, Notification, Topic, pause_after
from webapp.people.notifications.unsubscribing import headers_of

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=90)
_AT_ONCE: Final = 100
_HEADERS: Final = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
_UNWRITABLE: Final = (ValueError, MessageError)
"""Errors with a message that cannot be written: no header can hold its address, or the sender's,
which an operator may correct."""
_PERMANENT: Final = 500
"""From this SMTP status on, repeating the same message does not help (RFC 5321, 4.2.1)."""


def send_due(*, at: datetime, topic: Topic | None = None) -> int:
    """Send up to a hundred due messages; return how many the mail server accepted."""
    waiting = Notification.objects.due(at).select_related("user")
    due = list((waiting.filter(topic=topic) if topic else waiting)[:_AT_ONCE])
    connection, accepted = get_connection(), 0
    try:
        for notification in due:
            connection.open()  # does nothing while it is open
            accepted += _send(notification, connection, at)
    except (OSError, SMTPException) as error:
        left = len(due) - accepted
        logger.warning("the mail server is away, %d messages wait: %s", left, error)
    finally:
        connection.close()
    return accepted


def _send(notification: Notification, connection: BaseEmailBackend, at: datetime) -> bool:
    """Make one attempt; return whether the mail server took the message.

    Closes the connection after an error: the server may have ended it.
    """
    if not _claim(notification, at):
        return False
    try:
        _message(notification, connection).send()
    except SMTPRecipientsRefused as error:
        _note_failure(notification, str(error), at, final=_is_permanent(error))
    except (OSError, SMTPException, *_UNWRITABLE) as error:
        _note_failure(notification, f"{type(error).__name__}: {error}", at, final=False)
    else:
        Notification.objects.filter(pk=notification.pk).update(sent_at=at, error="")
        return True
    connection.close()
    return False


def _claim(notification: Notification, at: datetime) -> bool:
    """Count the attempt and plan the next one. False: another worker has just done so."""
    attempts = notification.attempts
    pause = pause_after(attempts + 1)
    unclaimed = Notification.objects.waiting().filter(pk=notification.pk, attempts=attempts)
    return bool(unclaimed.update(attempts=attempts + 1, send_after=at + pause))


def _note_failure(notification: Notification, error: str, at: datetime, *, final: bool) -> None:
    logger.warning("notification %d was not sent: %s", notification.pk, error)
    is_last = final or notification.attempts + 1 >= MAX_ATTEMPTS
    Notification.objects.filter(pk=notification.pk).update(
        error=error[:500], given_up_at=at if is_last else None
    )


def _is_permanent(error: SMTPRecipientsRefused) -> bool:
    return all(status >= _PERMANENT for status, _ in error.recipients.values())


def _message(notification: Notification, connection: BaseEmailBackend) -> EmailMessage:
    return EmailMessage(
        subject=notification.subject,
        body=notification.body,
        to=[notification.address or notification.user.email],
        headers={**_HEADERS, **headers_of(notification)},
        connection=connection,
    )
