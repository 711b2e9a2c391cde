"""Two of the staff have the same form open: who saves last is told what the other one saved."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from tests.support import world as worlds
from tests.support.html_forms import form_with
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import LadderSetting, change_ladder, open_ladder
from webapp.flow.lifecycle.models import Retention
from webapp.flow.lifecycle.services.retention import set_retention
from webapp.grading.gradebook.services import set_points
from webapp.people.accounts.models import User
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Course, Enrolment, Role, Section

pytestmark = pytest.mark.django_db

LATER = "2030-07-01T18:30"


@dataclass(frozen=True, slots=True)
class Form:
    """A form that is filled from saved values, and what two instructors enter."""

    page: str
    field: str
    mine: str
    theirs: Callable[[World], object]
    saved: Callable[[World], object]
    """The value that is saved now."""
    reason: bool = False
    sent_to: str = ""
    """Another address than the page's."""


def monday(world: World) -> Section:
    found = world.course.sections.filter(name="Monday").first()
    return found or services.create_section(course=world.course, by=world.ida, name="Monday")


def ladder_of(world: World) -> Ladder:
    return world.assignment.ladders.first() or open_ladder(
        assignment=world.assignment, by=world.ida, setting=LadderSetting()
    )


def place(world: World, user: User) -> Enrolment:
    return world.course.enrolments.get(user=user)


def due(world: World, days: int) -> datetime:
    return world.assignment.due_at + timedelta(days=days)


def said(world: World, moment: datetime | None) -> str:
    return f"{moment.astimezone(world.course.tz):%Y-%m-%dT%H:%M}" if moment else ""


FORMS = {
    "course": Form(
        COURSE + "edit/",
        "places",
        "77",
        lambda world: services.update_course(course=world.course, by=world.ida, title="Theirs"),
        lambda _: Course.objects.get().places,
    ),
    "section's dates": Form(
        ASSIGNMENT + "sections/",
        "grace_minutes",
        "30",
        lambda world: services.set_section_dates(
            assignment=world.assignment,
            section=monday(world),
            by=world.ida,
            due_at=due(world, 2),
            grace_minutes=5,
        ),
        lambda world: monday(world).dates.get().grace_minutes,
    ),
    "section's name": Form(
        COURSE + "sections/{monday}/",
        "name",
        "Mine",
        lambda world: services.rename_section(section=monday(world), by=world.ida, name="Theirs"),
        lambda world: world.course.sections.get().name,
    ),
    "section's staff": Form(
        COURSE + "people/{cleo}/",
        "sections",
        "{monday}",
        lambda world: services.set_looks_after(
            enrolment=place(world, world.cleo),
            by=world.ida,
            sections=[services.create_section(course=world.course, by=world.ida, name="Friday")],
        ),
        lambda world: place(world, world.cleo).looks_after.get().pk,
        sent_to=COURSE + "people/{cleo}/sections/",
    ),
    "role": Form(
        COURSE + "people/{ada}/",
        "role",
        "grader",
        lambda world: services.set_role(
            enrolment=place(world, world.ada), by=world.ida, role=Role.OBSERVER, reason="Visits"
        ),
        lambda world: place(world, world.ada).role,
        reason=True,
        sent_to=COURSE + "people/{ada}/role/",
    ),
    "section of a person": Form(
        COURSE + "people/{ada}/",
        "section",
        "{monday}",
        lambda world: services.set_section(
            enrolment=place(world, world.ada),
            by=world.ida,
            section=services.create_section(course=world.course, by=world.ida, name="Friday"),
        ),
        lambda world: place(world, world.ada).section_id,
        sent_to=COURSE + "people/{ada}/section/",
    ),
    "student number": Form(
        COURSE + "people/{ada}/",
        "student_number",
        "7001",
        lambda world: services.set_student_number(
            enrolment=place(world, world.ada), by=world.ida, number="7002"
        ),
        lambda world: place(world, world.ada).student_number,
        sent_to=COURSE + "people/{ada}/number/",
    ),
    "team's extension": Form(
        ASSIGNMENT + "teams/{team}/extension/",
        "due_at",
        LATER,
        lambda world: services.extend_deadline(
            team=worlds.team_of(world, world.ada), by=world.ida, due_at=due(world, 3), reason="Ill"
        ),
        lambda world: said(world, worlds.team_of(world, world.ada).extended_due_at),
        reason=True,
    ),
    "student's extension": Form(
        ASSIGNMENT + "dates/{ada}/",
        "due_at",
        LATER,
        lambda world: services.extend_student(
            enrolment=place(world, world.ada),
            assignment=world.assignment,
            by=world.ida,
            due_at=due(world, 3),
            reason="Ill",
        ),
        lambda world: said(world, world.assignment.extensions.latest("pk").due_at),
        reason=True,
    ),
    "accommodation": Form(
        COURSE + "people/{ada}/",
        "time_percent",
        "150",
        lambda world: services.accommodate(
            enrolment=place(world, world.ada), by=world.ida, time_percent=125, reason="A note"
        ),
        lambda world: place(world, world.ada).time_percent,
        reason=True,
    ),
    "points by hand": Form(
        ASSIGNMENT + "grades/{ada}/",
        "points",
        "7",
        lambda world: set_points(
            enrolment=place(world, world.ada),
            assignment=world.assignment,
            by=world.ida,
            points=Decimal(3),
            reason="Well told",
        ),
        lambda world: f"{world.assignment.manual_points.latest('pk').points.normalize()}",
        reason=True,
    ),
    "retention": Form(
        COURSE + "life/",
        "logs_days",
        "30",
        lambda world: set_retention(course=world.course, by=world.ida, sources_days=90),
        lambda _: Retention.objects.get().logs_days,
        sent_to=COURSE + "life/retention/",
    ),
    "ladder": Form(
        ASSIGNMENT + "ladder/",
        "max_games",
        "500",
        lambda world: change_ladder(
            ladder=ladder_of(world), by=world.ida, setting=LadderSetting(versions=3)
        ),
        lambda world: world.assignment.ladders.get().max_games,
        sent_to=ASSIGNMENT + "ladder/settings/",
    ),
}


def words(world: World) -> dict[str, object]:
    return {
        "monday": monday(world).pk,
        "ada": place(world, world.ada).pk,
        "cleo": place(world, world.cleo).pk,
        "team": worlds.team_of(world, world.ada).pk,
    }


@pytest.mark.parametrize("name", FORMS)
def test_a_form_does_not_overwrite_what_was_saved_meanwhile(name: str, world: World) -> None:
    form, known = FORMS[name], words(world)
    if name == "ladder":
        ladder_of(world)
    client, page = signed_in(world.ida), form.page.format(**known)
    sent_to, mine = (text.format(**known) for text in (form.sent_to or form.page, form.mine))
    change = {form.field: [mine], **({"reason": ["Because"]} if form.reason else {})}
    seen = form_with(text_of(client.get(page)), form.field)
    form.theirs(world)
    told = text_of(client.post(sent_to, seen | change, follow=True))
    assert "have been saved elsewhere since you opened this page" in told
    assert str(form.saved(world)) != mine
    again = form_with(told, form.field)
    assert again["seen"] != seen["seen"]
    client.post(sent_to, again | change)
    assert str(form.saved(world)) == mine


def test_an_outdated_form_says_which_fields_differ(world: World) -> None:
    client = signed_in(world.ida)
    seen = form_with(text_of(client.get(COURSE + "edit/")), "places")
    Course.objects.update(title="Theirs", late_days=4)
    page = text_of(client.post(COURSE + "edit/", seen | {"places": ["77"]}))
    assert "These fields differ: Title, Places, Late days of each student." in page
    assert form_with(page, "places")["places"] == ["77"]


def test_an_outdated_form_does_not_remove_dates_saved_meanwhile(world: World) -> None:
    client, section = signed_in(world.ida), monday(world)
    address = ASSIGNMENT + "sections/"
    dates = services.set_section_dates(
        assignment=world.assignment, section=section, by=world.ida, due_at=due(world, 2)
    )
    seen = form_with(text_of(client.get(address)), "grace_minutes") | {"clear": ["1"]}
    sure = form_with(text_of(client.post(address, seen)), "sure")
    dates.grace_minutes = 30
    dates.save()
    for values in (seen, sure):
        assert "have been saved elsewhere" in text_of(client.post(address, values, follow=True))
    assert world.assignment.section_dates.exists()
    again = form_with(text_of(client.get(address)), "grace_minutes") | {"clear": ["1"]}
    client.post(address, form_with(text_of(client.post(address, again)), "sure"))
    assert not world.assignment.section_dates.exists()


def test_the_form_of_a_course_shows_what_its_assistants_may_do(world: World) -> None:
    client = signed_in(world.ida)
    Course.objects.update(assistant_rights=["grade"])
    form = form_with(text_of(client.get(COURSE + "edit/")), "places")
    assert form["assistant_rights"] == ["grade"]
    client.post(COURSE + "edit/", form | {"title": ["Renamed"]})
    assert Course.objects.get().assistant_rights == ["grade"]
