"""E-mail to staff: who gets it, of what, and how seldom; and how mails name their sender."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from tests.webapp.conftest import NOW
from webapp.base.celery import PERIODIC
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.flow.staff_mail import tell_staff
from webapp.flow.tasks import tell_staff as task
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import RegradeRequest
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification, SwitchedOff, Topic
from webapp.people.notifications.sending import send_due
from webapp.people.notifications.services import choose_topics, notify, switches
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role
from webapp.teaching.courses.services import create_section, set_looks_after

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def ask(user: User, assignment: Assignment) -> RegradeRequest:
    return RegradeRequest.objects.create(
        assignment=assignment, user=user, text="Why?", asked_at=NOW, points=1
    )


def readers(topic: Topic) -> list[str]:
    rows = Notification.objects.filter(topic=topic).order_by("user__display_name")
    return list(rows.values_list("user__display_name", flat=True))


def test_regrade_requests_are_told_to_those_who_grade_once_an_hour_and_only_new_ones(
    assignment: Assignment, ada: User, ben: User, ida: User, enrol: Callable[..., User]
) -> None:
    enrol("Gus", role=Role.GRADER)
    enrol("Otto", role=Role.OBSERVER)
    first = ask(ada, assignment)
    assert tell_staff(at=NOW) == 2
    assert readers(Topic.ASKED) == ["Gus", "Ida"]
    assert tell_staff(at=NOW + 5 * HOUR) == 0
    ask(ben, assignment)
    assert tell_staff(at=NOW + HOUR / 2) == 0
    assert tell_staff(at=NOW + HOUR) == 2
    assert "2 regrade requests to answer" in Notification.objects.latest("pk").subject
    RegradeRequest.objects.filter(pk=first.pk).delete()
    assert tell_staff(at=NOW + 9 * HOUR) == 0


def test_staff_of_sections_hear_of_their_own_students(
    course: Course, assignment: Assignment, ada: User, ben: User, ida: User,
    enrol: Callable[..., User],
) -> None:  # fmt: skip
    Course.objects.update(staff_keep_to_sections=True)
    section = create_section(course=course, by=ida, name="Monday")
    gus = Enrolment.objects.get(user=enrol("Gus", role=Role.GRADER))
    set_looks_after(enrolment=gus, by=ida, sections=[section])
    Enrolment.objects.filter(user=ben).update(section=section)
    ask(ada, assignment)
    tell_staff(at=NOW)
    assert readers(Topic.ASKED) == ["Ida"]
    ask(ben, assignment)
    tell_staff(at=NOW + HOUR)
    assert readers(Topic.ASKED) == ["Gus", "Ida", "Ida"]


def test_failed_evaluations_and_refused_points_are_told(
    graded: Evaluation, assignment: Assignment, ada: User, ida: User, enrol: Callable[..., User]
) -> None:
    enrol("Gus", role=Role.GRADER)
    Evaluation.objects.update(status="failed", verdict="", finished_at=None, is_current=False)
    platform = Platform.objects.create(name="Moodle", issuer="https://m.example", client_id="c")
    linked = LinkedCourse.objects.create(
        platform=platform, context_id="1", course=assignment.course, linked_by=ida
    )
    link = LinkedAssignment.objects.create(linked_course=linked, assignment=assignment)
    Score.objects.create(
        link=link, user=ada, points=1, maximum=1, state="failed", due_at=NOW, failed_at=NOW
    )
    tell_staff(at=NOW)
    assert readers(Topic.FAILED) == ["Gus", "Ida"]
    assert readers(Topic.REFUSED) == ["Ida"]
    assert tell_staff(at=NOW + HOUR) == 0


def test_an_archived_course_is_left_alone_and_a_task_tells(
    course: Course, assignment: Assignment, ada: User
) -> None:
    ask(ada, assignment)
    Course.objects.update(archived_at=NOW)
    assert tell_staff(at=NOW) == 0
    Course.objects.update(archived_at=None)
    task()
    assert readers(Topic.ASKED) == ["Ida"]
    assert task.name in PERIODIC


def test_topics_of_staff_are_offered_to_staff_and_kept_by_others(ada: User, ida: User) -> None:
    assert Topic.ASKED in dict(switches(ida, is_staff=True))
    assert Topic.ASKED not in dict(switches(ada))
    choose_topics(user=ida, wanted=[], is_staff=True)
    choose_topics(user=ida, wanted=[Topic.GRADED])
    off = set(SwitchedOff.objects.filter(user=ida).values_list("topic", flat=True))
    assert {"asked", "failed", "refused"} <= off


def test_a_mail_names_the_site_and_how_to_unsubscribe(
    assignment: Assignment, ada: User, ida: User, mailoutbox: list[EmailMessage]
) -> None:
    ask(ada, assignment)
    tell_staff(at=NOW)
    send_due(at=timezone.now())
    (mail,) = mailoutbox
    assert mail.from_email.startswith("Firebox <")
    assert mail.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [address] = re.findall(r"<(.*)>", mail.extra_headers["List-Unsubscribe"])
    path = address.removeprefix(settings.SITE_URL)
    visitor = Client(enforce_csrf_checks=True)
    assert "regrade" in visitor.get(path).content.decode()
    assert not SwitchedOff.objects.exists()
    visitor.post(path, {"List-Unsubscribe": "One-Click"})
    assert SwitchedOff.objects.filter(user=ida, topic=Topic.ASKED).exists()
    assert Client().post(path.replace("/off/", "x/off/")).status_code == 404


def test_an_invitation_cannot_be_switched_off(
    course: Course, ada: User, mailoutbox: list[EmailMessage]
) -> None:
    context = {"course": course, "by": ada, "is_new": False, "path": "/"}
    notify([ada], topic=Topic.INVITATION, key="x", context=context, at=NOW)
    send_due(at=timezone.now())
    assert "List-Unsubscribe" not in mailoutbox[0].extra_headers
