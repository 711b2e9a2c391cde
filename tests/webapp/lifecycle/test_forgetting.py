"""Deleting a person finds all that names them, and nothing that names others."""

import pytest

from tests.support import world as worlds
from tests.support.world import World
from webapp.accounts.models import User
from webapp.auditlog.models import Act
from webapp.courses.services import create_course, create_section, enrol_by_code, update_course
from webapp.lifecycle.services.forgetting import forget_person

pytestmark = pytest.mark.django_db


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
