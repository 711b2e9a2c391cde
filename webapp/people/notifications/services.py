"""Queue notifications in the transaction that causes them, by their recipients' choices."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from webapp.people.accounts.models import User
from webapp.people.notifications.models import (
    ALWAYS_SENT,
    FIRST_PAUSE,
    FOR_STAFF,
    Notification,
    SwitchedOff,
    Topic,
)

_LONGEST_SUBJECT: Final = 150


def notify(
    users: Iterable[User],
    *,
    topic: Topic,
    key: str,
    context: Mapping[str, Any],
    at: datetime,
    wait: timedelta = timedelta(0),
) -> int:
    """Queue an e-mail to each user who has not switched the topic off; return how many.

    ``key`` names the event: each person is told of it once. ``context`` is for the template
    ``notifications/<topic>.txt``, whose first paragraph is the subject; ``path`` in it is the page
    to look at. ``wait`` leaves time to ``withdraw`` it. Raises ValueError for a wait that
    ``NotificationQuerySet.due`` would take for a clock that was fast.
    """
    if wait > FIRST_PAUSE:
        raise ValueError(f"a wait of {wait}, longer than any")
    readers = readers_of(users, topic)
    if not readers:
        return 0
    zones = {user.time_zone for user in readers}
    texts = {zone: _render(topic, {**context, "reader_zone": zone}) for zone in zones}
    rows = [
        Notification(
            user=user,
            topic=topic,
            key=key,
            subject=texts[user.time_zone][0],
            body=texts[user.time_zone][1],
            created_at=at,
            send_after=at + wait,
        )
        for user in readers
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    user: User
    key: str
    context: Mapping[str, Any]


def notify_many(letters: Sequence[Letter], *, topic: Topic, at: datetime) -> int:
    """Queue an e-mail for each letter whose reader has not switched the topic off; return how many.

    Nobody is told of an event twice. Three queries.
    """
    hearing = {user.pk for user in readers_of({letter.user for letter in letters}, topic)}
    keys = {letter.key for letter in letters}
    sent = set(Notification.objects.filter(topic=topic, key__in=keys).values_list("user_id", "key"))
    rows = [
        _row(letter, topic, at)
        for letter in letters
        if letter.user.pk in hearing and (letter.user.pk, letter.key) not in sent
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def notify_each(
    letters: Sequence[tuple[User, Mapping[str, Any]]], *, topic: Topic, key: str, at: datetime
) -> int:
    """Queue an e-mail of its own to each user, even of topics switched off; return how many."""
    rows = [
        _row(Letter(user=user, key=key, context=context), topic, at) for user, context in letters
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def notify_address(
    user: User, *, address: str, topic: Topic, key: str, context: Mapping[str, Any], at: datetime
) -> None:
    """Queue an e-mail to another address than the account's, even of a topic switched off."""
    row = _row(Letter(user=user, key=key, context=context), topic, at)
    row.address = address
    row.save()


def _row(letter: Letter, topic: Topic, at: datetime) -> Notification:
    subject, body = _render(topic, letter.context)
    return Notification(
        user=letter.user,
        topic=topic,
        key=letter.key,
        subject=subject,
        body=body,
        created_at=at,
        send_after=at,
    )


def withdraw(*, topic: Topic, key: str, at: datetime, user: User | None = None) -> None:
    """Withdraw unsent e-mails about an event: those to one user, or all."""
    waiting = Notification.objects.waiting().filter(topic=topic, key=key)
    if user is not None:
        waiting = waiting.filter(user=user)
    if waiting.exists():  # a page is read far more often than there is something to withdraw
        waiting.update(given_up_at=at, error="Withdrawn before it was sent.")


def readers_of(users: Iterable[User], topic: Topic) -> list[User]:
    """Return the users among these who get e-mails on the topic. One query."""
    active = [user for user in users if user.is_active]
    off = SwitchedOff.objects.filter(topic=topic, user__in=active)
    deaf = set(off.values_list("user_id", flat=True))
    return [user for user in active if user.pk not in deaf]


def reminded_since(assignment: int, since: datetime) -> set[int]:
    """Return the users who were reminded of this assignment after this moment. One query."""
    reminders = Notification.objects.filter(
        topic__in=(Topic.DEADLINE, Topic.REMINDER),
        key__startswith=f"assignment-{assignment}-",
        created_at__gt=since,
    )
    return set(reminders.values_list("user_id", flat=True))


def switches(user: User, *, is_staff: bool = False) -> list[tuple[Topic, bool]]:
    """Return every topic, with whether the user gets e-mails about it. One query."""
    left_out = ALWAYS_SENT if is_staff else (*ALWAYS_SENT, *FOR_STAFF)
    off = set(SwitchedOff.objects.filter(user=user).values_list("topic", flat=True))
    return [
        (topic, topic not in off)
        for topic in Topic
        if topic not in left_out and (topic != Topic.OPERATIONS or user.is_superuser)
    ]


@transaction.atomic
def choose_topics(*, user: User, wanted: Collection[str], is_staff: bool = False) -> None:
    """Switch on the topics of these names, and all others off. Unknown names change nothing."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks at once
    offered = [topic for topic, _ in switches(user, is_staff=is_staff)]
    SwitchedOff.objects.filter(user=user, topic__in=offered).delete()
    off = [SwitchedOff(user=user, topic=topic) for topic in offered if topic not in wanted]
    SwitchedOff.objects.bulk_create(off)


def _render(topic: Topic, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return subject and body. A subject is one line, even if a name in it has line breaks."""
    links = {
        "url": settings.SITE_URL + str(context.get("path", "/")),
        "profile_url": settings.SITE_URL + reverse("accounts:profile"),
    }
    text = render_to_string(f"notifications/{topic}.txt", {**context, **links})
    subject, _, body = text.strip().partition("\n\n")
    return " ".join(subject.split())[:_LONGEST_SUBJECT], body.strip() + "\n"
