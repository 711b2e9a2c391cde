"""Post and delete announcements."""

from datetime import datetime

from django.db import transaction
from django.urls import reverse

from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import notify, withdraw
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.permissions import require_right
from webapp.teaching.courses.rights import Right


@transaction.atomic
def post(*, course: Course, by: User, title: str, text: str, at: datetime) -> Announcement:
    """Post an announcement, and e-mail it to everybody else. Raises NotAllowed, ValidationError."""
    require_right(by, course, Right.ANNOUNCE)
    announcement = Announcement(
        course=course, title=title.strip(), text=text.strip(), posted_by=by, posted_at=at
    )
    announcement.full_clean()
    announcement.save()
    record(ActKind.ANNOUNCED, by=by, course=course, thing=announcement.title, at=at)
    notify(
        User.objects.filter(enrolments__in=course.enrolments.active()).exclude(pk=by.pk),
        topic=Topic.ANNOUNCEMENT,
        key=_key(announcement),
        context={
            "announcement": announcement,
            "course": course,
            "path": reverse("courses:announcements", args=[course.slug]),
        },
        at=at,
    )
    return announcement


@transaction.atomic
def delete(*, announcement: Announcement, by: User, at: datetime) -> None:
    """Delete an announcement, and send no more e-mails about it. Raises NotAllowed."""
    require_right(by, announcement.course, Right.ANNOUNCE)
    withdraw(topic=Topic.ANNOUNCEMENT, key=_key(announcement), at=at)
    announcement.delete()
    record(
        ActKind.ANNOUNCEMENT_DELETED,
        by=by,
        course=announcement.course,
        thing=announcement.title,
        at=at,
    )


def _key(announcement: Announcement) -> str:
    return f"announcement-{announcement.pk}"
