"""A world with similar sources: Ada's program, Ben's with other names, and Kit's, nothing alike."""

from datetime import timedelta

from django.utils import timezone

from tests.support import world as worlds
from tests.support.made_programs import program, renamed
from tests.support.world import World
from webapp.grading.similarity.services import go_on_comparing, start_comparison
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services.keeping import form_token, keep_upload
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Enrolment
from webapp.teaching.courses.services import create_section

_PLACE = "/courses/coop/assignments/hanabi/"


def hand_in(world: World, user: User, text: str) -> Submission:
    submission = worlds.upload(world, user, data=text.encode())
    Submission.objects.filter(pk=submission.pk).update(status="ready")
    return submission


def make(text: str = "") -> World:
    """Tell it; the due date has passed, and nothing has been compared."""
    world = worlds.make()
    one = text or program(1, functions=8)
    hand_in(world, world.ada, one)
    hand_in(world, world.ben, renamed(one))
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(hours=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(minutes=1))
    return world


def pages(world: World) -> list[tuple[str, User, str]]:
    """Compare them, and return the pages: similar sources, questions, a kept upload."""
    kit = worlds.person("Kit Marlowe")
    Enrolment.objects.create(course=world.course, user=kit)
    hand_in(world, kit, program(2, functions=8))
    Submission.objects.update(uploaded_at=timezone.now() - timedelta(hours=1))
    world.assignment.refresh_from_db()
    start_comparison(assignment=world.assignment, by=world.ida)
    go_on_comparing(at=timezone.now(), seconds=60)
    section = create_section(course=world.course, by=world.ida, name="Monday")
    keep_upload(
        token=form_token(kit, world.assignment),
        filename="agent.py",
        data=b"x = 1\n",
        interface="",
        agent_class="",
        at=timezone.now(),
    )
    return [
        ("similar-sources", world.ida, _PLACE + "similarity/"),
        ("similar-pair", world.ida, _PLACE + "similarity/pairs/1/"),
        ("section-delete", world.ida, f"/courses/coop/sections/{section.pk}/delete/"),
        ("section-rename", world.ida, f"/courses/coop/sections/{section.pk}/"),
        ("sections", world.ida, "/courses/coop/people/"),
        ("kept-upload", kit, _PLACE),
    ]
