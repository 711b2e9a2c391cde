"""Deleting a person finds all that names them, and nothing that names others."""

from datetime import timedelta
from typing import Any, Final

import pytest

from tests.support import world as worlds
from tests.support.world import World
from webapp.flow.lifecycle.services.forgetting import forget_person
from webapp.flow.pipeline import accept
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Extension, Role, Team
from webapp.teaching.courses.services import (
    create_course,
    create_section,
    enrol_by_code,
    extend_deadline,
    join_team,
    move_student,
    set_role,
    update_course,
)

pytestmark = pytest.mark.django_db

STUDENT: Final[dict[str, Any]] = {"role": Role.STUDENT, "reason": "Studies"}


@pytest.fixture
def opal(db: None) -> User:
    return User.objects.create_superuser("op@example.net", display_name="Opal Operator")


@pytest.fixture
def world(db: None) -> World:
    return worlds.make()


@pytest.fixture
def al(world: World) -> User:
    """A student whose name and address are parts of other words."""
    al = worlds.person("Al")
    enrol_by_code(user=al, invite_code=world.course.invite_code)
    return al


def forget(user: User, opal: User) -> None:
    forget_person(user=user, by=opal, email=user.email, reason="Asked")


def lost_sections() -> int:
    return Act.objects.filter(kind="section.created", salt="").count()


def test_entries_that_only_contain_letters_of_a_deleted_persons_name_stay(
    world: World, al: User, opal: User
) -> None:
    other = create_course(by=world.ida, title="Another course", slug="other")
    for course in (world.course, other):
        update_course(course=course, by=world.ida, title="Logical games", places=12)
        for name in ("Always", "al@example.org.uk", "sal@example.org"):
            create_section(course=course, by=world.ida, name=name)
    forget(al, opal)
    assert not Act.objects.filter(salt="").exclude(person=al).exists()


@pytest.mark.parametrize("words", ["Al", "with al", "Sent by al@example.org.", "“Al”, Ben"])
def test_entries_of_their_course_that_name_a_deleted_person_are_erased(
    world: World, al: User, opal: User, words: str
) -> None:
    create_section(course=world.course, by=world.ida, name=words)
    forget(al, opal)
    assert lost_sections() == 1


@pytest.mark.parametrize(("words", "lost"), [("Al", 0), ("Al, AL@example.org", 1)])
def test_elsewhere_only_the_address_tells_that_an_entry_is_about_a_deleted_person(
    world: World, al: User, opal: User, words: str, lost: int
) -> None:
    other = create_course(by=world.ida, title="Another course", slug="other")
    create_section(course=other, by=world.ida, name=words)
    forget(al, opal)
    assert lost_sections() == lost


def test_a_name_is_looked_for_in_values_and_not_in_their_names(world: World, opal: User) -> None:
    title = worlds.person("Title")
    enrol_by_code(user=title, invite_code=world.course.invite_code)
    update_course(course=world.course, by=world.ida, title="Games")
    forget(title, opal)
    assert Act.objects.get(kind="course.changed").after == {"title": "Games"}
    update_course(course=world.course, by=world.ida, title="Games of Ada Lovelace")
    forget(world.ada, opal)
    assert Act.objects.filter(kind="course.changed", salt="").count() == 1


def test_a_team_that_a_deleted_person_was_moved_out_of_is_forgotten_with_them(
    world: World, opal: User
) -> None:
    submission = worlds.upload(world, world.ada, filename="ada_lovelace.py")
    before = {"due_at": world.assignment.due_at + timedelta(days=1), "reason": "Ada was ill"}
    extend_deadline(team=submission.team, by=world.ida, **before)
    move_student(user=world.ada, team=worlds.team_of(world, world.ben), by=world.ida)
    forget(world.ada, opal)
    submission.refresh_from_db()
    assert (submission.team.name, submission.filename) == (
        f"Team {submission.team.alias}",
        "removed",
    )
    assert submission.sources_removed_at is not None
    assert Extension.objects.get().reason == "erased with the person"


def test_work_of_a_partner_who_was_moved_out_of_the_same_team_is_kept(
    world: World, opal: User
) -> None:
    team = worlds.team_of(world, world.ada)
    join_team(user=world.ben, assignment=world.assignment, join_code=team.join_code)
    own = worlds.upload(world, world.ben)
    set_role(enrolment=world.course.enrolments.get(user=world.cleo), **STUDENT, by=world.ida)
    cleos = worlds.team_of(world, world.cleo)
    move_student(user=world.ben, team=cleos, by=world.ida)
    forget(world.ada, opal)
    assert kept(own)
    forget(world.ben, opal)
    assert not kept(own)


def test_a_team_for_which_deleted_staff_uploaded_keeps_its_name_and_work(
    world: World, opal: User
) -> None:
    team = worlds.team_of(world, world.ada)
    by_staff = accept(team=team, by=world.cleo, filename="agent.py", data=worlds.SOURCE)
    forget(world.cleo, opal)
    assert kept(by_staff)
    assert Team.objects.get().name == "Ada Lovelace"


def test_a_partner_who_is_only_called_like_a_deleted_person_keeps_their_work(
    world: World, opal: User
) -> None:
    prank = worlds.person("Deleted person")
    enrol_by_code(user=prank, invite_code=world.course.invite_code)
    team = worlds.team_of(world, world.ada)
    join_team(user=prank, assignment=world.assignment, join_code=team.join_code)
    submission = worlds.upload(world, world.ada)
    forget(world.ada, opal)
    assert kept(submission)


def kept(submission: Submission) -> bool:
    submission.refresh_from_db()
    return submission.sources_removed_at is None
