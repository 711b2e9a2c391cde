"""Invite people who are enrolled: to choose a password, or to look at the course."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from webapp.people.accounts.invitations import invitation_token, is_invited
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import act, record_all
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import notify_each
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState
from webapp.teaching.courses.permissions import require_instructor


@transaction.atomic
def invite_again(
    *, course: Course, by: User, enrolments: Collection[Enrolment], at: datetime | None = None
) -> int:
    """Send an invitation to those who have never signed in; return to how many. For instructors."""
    require_instructor(by, course)
    now = at or timezone.now()
    waiting = [
        enrolment.user
        for enrolment in enrolments
        if enrolment.state == EnrolmentState.ACTIVE and is_invited(enrolment.user)
    ]
    send_invitations(course, waiting, by, now)
    record_all(
        act(ActKind.PERSON_INVITED, by=by, course=course, person=user, at=now) for user in waiting
    )
    return len(waiting)


def send_invitations(
    course: Course,
    users: Sequence[User],
    by: User,
    at: datetime,
    *,
    taken_back: Mapping[int, str] | None = None,
) -> None:
    """Queue an invitation for each: to choose a password, or to look at the course.

    ``taken_back`` are the roles, by user, of people whose account was taken back for them.
    """
    roles = taken_back or {}
    word = "taken-back" if roles else "course"
    register = {
        user.pk: reverse("accounts:invitation", args=[invitation_token(user)])
        for user in users
        if is_invited(user)
    }
    course_path = reverse("courses:course", args=[course.slug])
    notify_each(
        [
            (
                user,
                {
                    "course": course,
                    "by": by,
                    "is_new": user.pk in register,
                    "role": roles.get(user.pk),
                    "path": register.get(user.pk, course_path),
                },
            )
            for user in users
        ],
        topic=Topic.INVITATION,
        key=f"{word}-{course.pk}-{at:%Y%m%d%H%M%S}",
        at=at,
    )
