"""E-mail to a course's staff: regrade requests, failed evaluations, points that a platform refused.

A reader gets one e-mail an hour at most of each kind, and only if there is something new.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse

from webapp.flow.lti.models import Score
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Outcome, RegradeRequest
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification, Topic
from webapp.people.notifications.services import Letter, notify_many
from webapp.teaching.courses.models import Course, Enrolment
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.rights import Right

_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    course: int
    number: int
    """Larger for later events."""
    people: frozenset[int]
    """The students whom it is about; empty if it is about nobody."""


def tell_staff(*, at: datetime) -> int:
    """Queue e-mails about new events; return how many."""
    found = {
        Topic.ASKED: list(_requests()),
        Topic.FAILED: list(_failures()),
        Topic.REFUSED: list(_refusals()),
    }
    keys = {event.course for events in found.values() for event in events}
    courses = Course.objects.filter(pk__in=keys, archived_at__isnull=True, deleted_at__isnull=True)
    return sum(
        _tell(course, topic, [event for event in events if event.course == course.pk], at)
        for course in courses
        for topic, events in found.items()
    )


def _requests() -> Iterator[_Event]:
    rows = RegradeRequest.objects.filter(outcome=Outcome.OPEN)
    for pk, course, user in rows.values_list("pk", "assignment__course", "user"):
        yield _Event(course=course, number=pk, people=frozenset({user}))


def _failures() -> Iterator[_Event]:
    names = ("pk", "assignment__course", "submission__team__memberships__user")
    people: dict[tuple[int, int], set[int]] = {}
    for pk, course, user in Evaluation.objects.failed().order_by().values_list(*names):
        people.setdefault((course, pk), set()).update(() if user is None else (user,))
    for (course, pk), users in people.items():
        yield _Event(course=course, number=pk, people=frozenset(users))


def _refusals() -> Iterator[_Event]:
    rows = Score.objects.filter(state=Score.State.FAILED, failed_at__isnull=False)
    for course, failed_at in rows.values_list("link__assignment__course", "failed_at"):
        if failed_at is not None:
            yield _Event(course=course, number=int(failed_at.timestamp()), people=frozenset())


def _tell(course: Course, topic: Topic, events: list[_Event], at: datetime) -> int:
    letters: list[Letter] = []
    for reader in _staff(course, topic) if events else ():
        own = [event for event in events if _concerns(reader, course, event)]
        letters += _letters(reader, course, topic, own, at)
    return notify_many(letters, topic=topic, at=at)


def _staff(course: Course, topic: Topic) -> list[User]:
    """Return the staff who can do something about it: points are sent by instructors."""
    places = Enrolment.objects.active().filter(course=course, role__in=STAFF_ROLES)
    readers = [place.user for place in places.select_related("user")]
    if topic == Topic.REFUSED:
        return [reader for reader in readers if viewer_in(reader, course).is_instructor]
    return [reader for reader in readers if Right.GRADE in viewer_in(reader, course).rights]


def _concerns(reader: User, course: Course, event: _Event) -> bool:
    return not event.people or viewer_in(reader, course).may_act_for(event.people)


def _letters(
    reader: User, course: Course, topic: Topic, events: Iterable[_Event], at: datetime
) -> Iterator[Letter]:
    numbers = [event.number for event in events]
    if not numbers:
        return
    prefix = f"course-{course.pk}-"
    told = Notification.objects.filter(user=reader, topic=topic, key__startswith=prefix)
    last = told.order_by("-created_at", "-pk").first()
    if last is not None:
        newest, count = map(int, last.key.removeprefix(prefix).split("-"))
        is_new = max(numbers) > newest or len(numbers) > count
        if not is_new or last.created_at > at - _PAUSE:
            return
    key = f"{prefix}{max(numbers)}-{len(numbers)}"
    yield Letter(user=reader, key=key, context=_context(course, topic, len(numbers)))


def _context(course: Course, topic: Topic, number: int) -> Mapping[str, object]:
    views = {
        Topic.ASKED: "gradebook:regrades",
        Topic.FAILED: "courses:course",
        Topic.REFUSED: "courses:course",
    }
    path = reverse(views[topic], args=[course.slug])
    return {"course": course, "number": number, "path": path}
