"""A course that was played and graded, and its file."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from grader.audit import AuditCause, AuditReport, Conclusion
from tests.support import course_files
from tests.support import world as worlds
from tests.support.every_address import EveryThing
from tests.support.jobs import audit_request, audited_seats
from tests.support.templates import copy_of
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.grading.audits.flags import mark_flags
from webapp.grading.evaluations.models import Audit
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.services import extend_deadline


def make_over() -> World:
    """Ada and Ben have practised and are graded; games of Ada's failed and printed."""
    world = worlds.make(games=6)
    for user in (world.ada, world.ben):
        worlds.submit_and_practise(world, user, faults=[1], prints=[0, 2])
    extend_deadline(
        team=worlds.team_of(world, world.ada),
        by=world.ida,
        due_at=world.assignment.due_at + timedelta(days=1),
        reason="Ada was ill",
    )
    for user in (world.ada, world.ben):
        worlds.grade(world, user, faults=[2])
    audit = Audit.objects.get(evaluation__submission__team=worlds.team_of(world, world.ada))
    request = audit_request(audit)
    seats = audited_seats(request, Conclusion.DIFFERS, AuditCause.PAUSES)
    record_audit(AuditReport(audit=request.audit, seats=seats))
    mark_flags(audit=audit, by=world.ida, is_seen=True, note="Ada reads a clock")
    archive_course(course=world.course, by=world.ida)
    world.course = Course.objects.get()
    return world


@pytest.fixture
def things(db: None) -> EveryThing:
    """A course with one of everything, which is over."""
    return copy_of(course_files.make_over)


@pytest.fixture
def over(db: None) -> World:
    return copy_of(make_over)


@pytest.fixture
def file(over: World) -> BytesIO:
    file = BytesIO()
    write_course(over.course, file, at=timezone.now())
    file.seek(0)
    return file
