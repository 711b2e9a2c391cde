"""E-mail students who have uploaded nothing, with a text by their course's staff."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.grading.gradebook.students import without_upload
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import act, record_all
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import Letter, notify_many, readers_of, reminded_since
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Enrolment, Membership, Role, Team
from webapp.teaching.courses.permissions import require_right, require_right_for, require_unarchived
from webapp.teaching.courses.resolution import resolve_users
from webapp.teaching.courses.rights import Right

_APART: Final = timedelta(days=1)
"""Nobody is reminded of an assignment again within this time, not by the site itself either."""
_LONGEST: Final = 500
"""Characters of a message: all of it stands in the audit log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """The readers of a reminder among chosen students, and why others get none."""

    readers: Sequence[User]
    uploaded: int
    lately: int
    switched_off: int


def reminder_of(
    assignment: Assignment, teams: Sequence[Team], students: Sequence[Enrolment], *, at: datetime
) -> Reminder:
    """Return who of these teams and students would be reminded now. Five queries."""
    chosen = _chosen(assignment, teams, students)
    idle = [place.user for place in without_upload(assignment, chosen).select_related("user")]
    lately = reminded_since(assignment.pk, at - _APART)
    waiting = [user for user in idle if user.pk not in lately]
    readers = readers_of(waiting, Topic.REMINDER)
    return Reminder(
        readers=readers,
        uploaded=chosen.count() - len(idle),
        lately=len(idle) - len(waiting),
        switched_off=len(waiting) - len(readers),
    )


@transaction.atomic
def remind(
    *,
    assignment: Assignment,
    teams: Sequence[Team],
    students: Sequence[Enrolment],
    by: User,
    message: str,
    at: datetime | None = None,
) -> Reminder:
    """E-mail those of these teams and students who have uploaded nothing.

    Raises NotAllowed; ValidationError for an empty or too long message; Refused if nobody would get
    an e-mail, before the assignment opens, and once the deals are revealed.
    """
    require_unarchived(assignment.course)
    for team in teams:
        require_right_for(by, team, Right.ANNOUNCE)
    for place in students:
        require_right(by, assignment.course, Right.ANNOUNCE, people=[place.user_id])
    now = at or timezone.now()
    lock(assignment)
    _require_open(assignment, now)
    words = _checked(message)
    reminder = reminder_of(assignment, teams, students, at=now)
    if not reminder.readers:
        raise Refused("None of them gets an e-mail. Nothing was sent.")
    letters = _letters(assignment, reminder.readers, by, words, now)
    with timezone.override(assignment.course.tz):
        notify_many(letters, topic=Topic.REMINDER, at=now)
    _record(assignment, teams, students, reminder, by=by, reason=words, at=now)
    return reminder


def _chosen(
    assignment: Assignment, teams: Sequence[Team], students: Sequence[Enrolment]
) -> QuerySet[Enrolment]:
    members = Membership.objects.filter(team__in=teams, assignment=assignment).values("user")
    places = assignment.course.enrolments.active().filter(role=Role.STUDENT)
    return places.filter(Q(user__in=members) | Q(pk__in=[place.pk for place in students]))


def _require_open(assignment: Assignment, now: datetime) -> None:
    if now < assignment.opens_at:
        raise Refused("The assignment has not opened yet.")
    if assignment.secret_revealed_at is not None:
        raise Refused("The deals have been revealed: nobody can upload now.")


def _checked(message: str) -> str:
    words = message.strip()
    if not words:
        raise ValidationError({"message": "Say what the e-mail should tell them."})
    if len(words) > _LONGEST:
        raise ValidationError({"message": f"At most {_LONGEST} characters."})
    return words


def _letters(
    assignment: Assignment, readers: Sequence[User], by: User, message: str, now: datetime
) -> list[Letter]:
    resolutions = resolve_users(assignment, [user.pk for user in readers])
    course = assignment.course
    common = {
        "assignment": assignment,
        "course": course,
        "path": reverse("courses:assignment", args=[course.slug, assignment.slug]),
        "by": by,
        "message": message,
    }
    key = f"assignment-{assignment.pk}-{now:%Y%m%d%H%M%S}"
    letters = []
    for user in readers:
        deadline = resolutions.of(user.pk).deadline
        own = {
            "due_at": deadline.due_at,
            "ends_at": deadline.ends_at,
            "is_due": now > deadline.due_at,
            "is_over": now > deadline.ends_at,
            "reader_zone": user.time_zone,
        }
        letters.append(Letter(user=user, key=key, context={**common, **own}))
    return letters


def _record(
    assignment: Assignment,
    teams: Sequence[Team],
    students: Sequence[Enrolment],
    reminder: Reminder,
    *,
    by: User,
    reason: str,
    at: datetime,
) -> None:
    readers = {user.pk for user in reminder.readers}
    members = Membership.objects.filter(team__in=teams, user__in=readers)
    keys = set(members.values_list("team", flat=True))
    reminded_act = partial(
        act,
        ActKind.REMINDED,
        by=by,
        course=assignment.course,
        thing=assignment,
        reason=reason,
        at=at,
    )
    acts = [reminded_act(team=team) for team in teams if team.pk in keys]
    acts += [reminded_act(person=one.user_id) for one in students if one.user_id in readers]
    record_all(acts)
