"""Links in e-mails by which their reader switches their topic off, without signing in."""

from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse

from webapp.people.notifications.models import ALWAYS_SENT, Notification, SwitchedOff, Topic

_SALT: Final = "webapp.notifications.unsubscribing"


def headers_of(notification: Notification) -> dict[str, str]:
    """Return the headers by which mail programs offer to unsubscribe (RFC 2369, RFC 8058)."""
    topic = Topic(notification.topic)
    if topic in ALWAYS_SENT:
        return {}
    token = signing.dumps([notification.user_id, topic.value], salt=_SALT)
    address = settings.SITE_URL + reverse("accounts:unsubscribe", args=[token])
    return {
        "List-Unsubscribe": f"<{address}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def topic_of(token: str) -> Topic | None:
    """Return the topic that a link switches off; ``None`` for a link that is not ours."""
    read = _read(token)
    return None if read is None else read[1]


def switch_off(token: str) -> None:
    """Switch the topic of a link off for its reader."""
    if (read := _read(token)) is not None:
        SwitchedOff.objects.get_or_create(user_id=read[0], topic=read[1])


def _read(token: str) -> tuple[int, Topic] | None:
    try:
        user, topic = signing.loads(token, salt=_SALT)
        return int(user), Topic(topic)
    except (signing.BadSignature, ValueError, TypeError):
        return None
