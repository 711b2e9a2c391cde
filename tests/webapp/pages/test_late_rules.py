"""What people see of the rules for late uploads: warnings, a maximum, rules of earlier versions."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.pages import signed_in
from tests.support.world import World, upload
from tests.webapp.pages.assignment_form import FORM
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Assignment, Enrolment, Section, SectionDates

BERLIN = ZoneInfo("Europe/Berlin")
BESIDE = datetime(2026, 10, 24, 20, 0, tzinfo=BERLIN)
"""A due date on the evening before clocks go back."""
WARNED = "Clocks go"
DAY = timedelta(days=1)


@pytest.fixture
def beside(world: World) -> World:
    """The world's assignment, due on the evening before clocks go back."""
    world.course.timezone = "Europe/Berlin"
    world.course.save()
    Assignment.objects.update(opens_at=BESIDE - 14 * DAY, due_at=BESIDE)
    return world


def page(client: Client, name: str, world: World, *more: object) -> str:
    address = reverse(f"courses:{name}", args=[world.course.slug, world.assignment.slug, *more])
    return " ".join(client.get(address).content.decode().split())


def test_staff_are_warned_of_a_change_of_clocks_beside_a_due_date_and_within_late_days(
    beside: World,
) -> None:
    shown = page(signed_in(beside.ida), "assignment", beside)
    assert "Clocks go back by 1 hour close to the due date of 24 Oct 2026, 20:00" in shown
    assert WARNED not in page(signed_in(beside.ada), "assignment", beside)
    Assignment.objects.update(due_at=BESIDE + 7 * DAY)
    assert WARNED not in page(signed_in(beside.ida), "assignment", beside)
    Assignment.objects.update(due_at=BESIDE - 2 * DAY)
    assert WARNED not in page(signed_in(beside.ida), "assignment", beside)
    Assignment.objects.update(max_late_days=2)
    assert WARNED in page(signed_in(beside.ida), "assignment", beside)


def test_staff_are_warned_of_dates_of_sections_and_students(beside: World) -> None:
    Assignment.objects.update(due_at=BESIDE - 7 * DAY)
    tuesday = Section.objects.create(course=beside.course, name="Tuesday")
    SectionDates.objects.create(assignment=beside.assignment, section=tuesday, due_at=BESIDE)
    Enrolment.objects.filter(user=beside.ada).update(section=tuesday)
    place = Enrolment.objects.get(user=beside.ada)
    ida = signed_in(beside.ida)
    assert WARNED in page(ida, "section_dates", beside)
    assert WARNED in page(ida, "student_dates", beside, place.pk)


def post(client: Client, world: World, **values: object) -> Any:
    address = reverse("courses:new_assignment", args=[world.course.slug])
    return client.post(address, {**FORM, **values})


def test_a_maximum_of_the_penalty_needs_a_hard_end(world: World) -> None:
    ida = signed_in(world.ida)
    capped = {"penalty_percent": "10", "max_penalty_percent": "50"}
    refused = post(ida, world, **capped)
    assert "hard_end_at" in refused.context["form"].errors
    assert post(ida, world, **capped, hard_end_at="2030-08-01T18:30").status_code == 302
    made = Assignment.objects.get(slug="second")
    assert made.max_penalty_percent == 50
    post(ida, world, max_penalty_percent="", slug="third")
    assert Assignment.objects.get(slug="third").max_penalty_percent == 100


def test_only_assignments_that_have_them_offer_the_earlier_rules(world: World) -> None:
    ida = signed_in(world.ida)
    assert "has_plain_days" not in page(ida, "edit_assignment", world)
    assert 'value="mean"' not in page(ida, "edit_assignment", world)
    Assignment.objects.update(has_plain_days=True, counts=DeadlineRule.BEST_MEAN)
    assert "has_plain_days" in page(ida, "edit_assignment", world)
    assert 'value="mean" selected' in page(ida, "edit_assignment", world)


def test_another_kind_of_days_changes_points_in_one_act_that_the_log_lists(
    world: World, ada_graded: Evaluation
) -> None:
    submission = Submission.objects.get()
    Assignment.objects.update(
        opens_at=BESIDE - 14 * DAY, due_at=BESIDE, penalty_percent=10, has_plain_days=True
    )
    world.course.timezone = "Europe/Berlin"
    world.course.save()
    late = BESIDE + timedelta(hours=23, minutes=30)  # on the clock: elapsed are 24.5 hours
    Submission.objects.update(uploaded_at=late.astimezone(UTC))
    ida = signed_in(world.ida)
    form = ida.get(
        reverse("courses:edit_assignment", args=[world.course.slug, world.assignment.slug])
    ).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent |= {"opens_at": "2026-10-10T20:00", "due_at": "2026-10-24T20:00"}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    address = reverse("courses:edit_assignment", args=[world.course.slug, world.assignment.slug])
    ida.post(address, sent)
    before = Grade.objects.get(is_current=True)
    assert before.penalty_percent == Decimal(20)
    del sent["has_plain_days"]
    ida.post(address, sent)
    after = Grade.objects.get(is_current=True)
    assert after.penalty_percent == Decimal(10)
    assert after.evaluation.submission == submission
    kinds = list(Act.objects.order_by("-pk").values_list("kind", flat=True)[:2])
    assert kinds == ["grade.changed", "assignment.changed"]


def test_a_student_is_told_which_upload_a_late_one_replaces(world: World) -> None:
    upload(world, world.ada)
    now = timezone.now()
    Assignment.objects.update(opens_at=now - 9 * DAY, due_at=now - DAY / 2, penalty_percent=10)
    Submission.objects.update(uploaded_at=now - DAY, status="ready")
    assert "It replaces submission 1" in page(signed_in(world.ada), "assignment", world)
    Assignment.objects.update(counts=DeadlineRule.BEST)
    assert "It replaces" not in page(signed_in(world.ada), "assignment", world)
