"""An archived course can be read, and nothing in it changes."""

from datetime import timedelta

import pytest

from tests.support import world as worlds
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.playing import services as playing
from webapp.flow.emails import remind_of_deadlines
from webapp.flow.lifecycle.services.archiving import archive_course, unarchive_course
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return copy_of(worlds.make_practised)


@pytest.fixture
def archived(world: World) -> World:
    archive_course(course=world.course, by=world.ida, reason="The term is over")
    world.course.refresh_from_db()
    world.assignment = Assignment.objects.get()
    return world


def test_an_unarchived_course_works_as_before(archived: World) -> None:
    unarchive_course(course=archived.course, by=archived.ida)
    assert worlds.upload(archived, archived.ada).number == 2
    with pytest.raises(Refused, match="is not archived"):
        unarchive_course(course=archived.course, by=archived.ida)


def test_only_instructors_archive(world: World) -> None:
    for user in (world.ada, world.cleo):
        with pytest.raises(NotAllowed):
            archive_course(course=world.course, by=user)


def test_archiving_waits_for_games_that_are_being_played(world: World) -> None:
    worlds.upload(world, world.ben)
    with pytest.raises(Refused, match="1 evaluation is being played: wait, or cancel it"):
        archive_course(course=world.course, by=world.ida)


def test_a_game_with_agents_ends_with_the_course(world: World) -> None:
    game = playing.start_game(
        assignment=world.assignment, by=world.ada, seat=0, agents=["house:iggi"]
    )
    archive_course(course=world.course, by=world.ida)
    game.refresh_from_db()
    assert game.status == "left"


def test_an_archived_course_sends_no_reminders(archived: World) -> None:
    day_before = archived.assignment.due_at - timedelta(hours=23)
    assert remind_of_deadlines(at=day_before) == 0
    unarchive_course(course=archived.course, by=archived.ida)
    assert remind_of_deadlines(at=day_before) == 1
