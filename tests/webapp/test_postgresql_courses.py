"""A course on a real PostgreSQL: text that it cannot store, and people who come at one moment."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import cast

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.game_folders import zipped
from tests.support.linked import register
from tests.support.pages import ASSIGNMENT, signed_in, text_of
from tests.support.postgres_server import PostgresServer
from tests.support.processes import wait_until
from tests.support.races import SECONDS, Action, outcome, race, wait_behind, waiting
from webapp.flow.lti.launches import Launch, Place
from webapp.flow.lti.models import LinkedCourse
from webapp.flow.lti.services import arrive
from webapp.flow.pipeline import change_dates
from webapp.grading.game_folders import upload_game
from webapp.people.accounts.identities import Identity, Joined, add_identity
from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import create_token
from webapp.people.notifications.models import Topic
from webapp.people.notifications.services import choose_topics, switches
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Course, GameFolder
from webapp.teaching.courses.roster.formats import RosterEntry
from webapp.teaching.courses.roster.planning import plan_import
from webapp.teaching.courses.services import (
    accommodate,
    create_course,
    create_section,
    delete_section,
    enrol_by_code,
    import_people,
    rename_team,
    set_section,
    set_section_dates,
)

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module", autouse=True)
def server(site_on_postgres: PostgresServer) -> PostgresServer:
    return site_on_postgres


def test_a_search_for_text_that_no_database_takes_finds_nothing() -> None:
    world = worlds.make()
    client = signed_in(world.ida)
    searches = ("/courses/coop/grades/", ASSIGNMENT + "grades/", ASSIGNMENT + "teams/")
    statuses = {address: client.get(address, {"q": "a\x00b"}).status_code for address in searches}
    assert set(statuses.values()) == {200}, statuses
    assert client.get(ASSIGNMENT + "leaderboard/agents/a%00b/").status_code == 404


def test_the_api_finds_no_course_whose_name_no_database_takes() -> None:
    world = worlds.make()
    token = create_token(user=world.ada, name="laptop", at=timezone.now())
    client = Client(headers={"authorization": f"Bearer {token}"})
    for place in ("courses/a%00b/assignments/hanabi", "courses/coop/assignments/a%00b"):
        response = client.get(f"/api/v1/{place}/submissions")
        assert (response.status_code, response.json()["detail"]) == (404, "No such assignment.")


@pytest.mark.parametrize("by_link", [False, True])
def test_the_last_place_of_a_course_is_given_once(server: PostgresServer, *, by_link: bool) -> None:
    course = worlds.make().course
    course.places = course.enrolments.count() + 1
    course.save()
    first, second = (worlds.person(name) for name in ("Dan", "Eve"))
    second_comes: Action = (
        partial(arrive, launch_into(course))
        if by_link
        else partial(enrol_by_code, user=second, invite_code=course.invite_code)
    )
    first_comes = partial(enrol_by_code, user=first, invite_code=course.invite_code)
    assert "full" in str(wait_behind(server, first_comes, second_comes))
    assert course.enrolments.count() == course.places


@pytest.mark.parametrize("known", [False, True])
def test_a_link_that_a_newcomer_opens_twice_at_once_makes_one_account_and_one_place(
    server: PostgresServer, *, known: bool
) -> None:
    course = worlds.make().course
    launch = launch_into(course)
    if known:
        add_identity(user=worlds.person("Dan"), identity=launch.identity)
    row = course if known else launch.platform
    twice = [partial(arrive, launch), partial(arrive, launch)]
    arrivals = [cast("tuple[Joined, Course]", arrival) for arrival in race(server, row, *twice)]
    (user,) = {joined.user for joined, _ in arrivals}
    assert [course for _, course in arrivals] == [course, course]
    assert course.enrolments.filter(user=user).count() == 1


@pytest.mark.parametrize("is_new", [False, True])
def test_a_name_that_another_team_takes_at_that_moment_is_taken(
    server: PostgresServer, *, is_new: bool
) -> None:
    world = worlds.make()
    adas, name = worlds.team_of(world, world.ada), world.ben.display_name
    if is_new:
        takes: Action = partial(worlds.upload, world, world.ben)
    else:
        bens = worlds.team_of(world, world.ben)
        rename_team(team=bens, by=world.ben, name="Another")
        takes = partial(rename_team, team=bens, by=world.ben, name=name)
    taken = wait_behind(server, partial(rename_team, team=adas, by=world.ada, name=name), takes)
    assert "has this name" in str(taken) or str(taken) == f"{name} 2 #1"


def test_a_section_that_just_gets_a_due_date_is_deleted_after_that(server: PostgresServer) -> None:
    world = worlds.make()
    section = create_section(course=world.course, by=world.ida, name="Monday")
    due_at = world.assignment.due_at + timedelta(days=1)
    people = wait_behind(
        server,
        partial(
            set_section_dates,
            assignment=world.assignment,
            section=section,
            by=world.ida,
            due_at=due_at,
        ),
        partial(delete_section, section=section, by=world.ida, reason="Merged"),
        then=lambda: lock_course(world.course),  # as the change of points after new dates does
    )
    assert people == 0
    assert not world.course.sections.exists()


def test_more_time_and_a_section_for_one_student_wait_for_nobody_in_a_circle(
    server: PostgresServer,
) -> None:
    world = worlds.make()
    own, read_before = (world.course.enrolments.get(user=world.ada) for _ in range(2))
    gives_time = partial(
        change_dates,
        course=world.course,
        by=world.ida,
        change=lambda: accommodate(
            enrolment=read_before, by=world.ida, time_percent=150, reason="Certificate"
        ),
    )

    def put_in_a_section() -> None:
        section = create_section(course=world.course, by=world.ida, name="Monday")
        set_section(enrolment=own, by=world.ida, section=section)

    wait_behind(server, lambda: lock_course(world.course), gives_time, then=put_in_a_section)
    own.refresh_from_db()
    assert (own.section, own.time_percent) == (world.course.sections.get(), 150)


def test_two_imports_of_the_same_people_wait_for_nobody_in_a_circle(server: PostgresServer) -> None:
    world = worlds.make()
    other = create_course(by=world.ida, title="Other", slug="other")
    people = [
        RosterEntry(line=2, name=name, email=f"{name}@example.org", number="", section="", role="")
        for name in ("abe", "mia", "zoe")
    ]

    def bring_in(course: Course, entries: Sequence[RosterEntry]) -> object:
        previewed = plan_import(course, entries).digest
        return import_people(course=course, by=world.ida, entries=entries, previewed=previewed)

    orders = ((world.course, people), (other, people[::-1]))
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            worlds.person("Mia")
            imports = [
                pool.submit(outcome, partial(bring_in, course, entries))
                for course, entries in orders
            ]
            wait_until(lambda: waiting(server) == 2, seconds=SECONDS, why="they do not wait")
            transaction.set_rollback(True)
        for done in imports:
            done.result(timeout=SECONDS)
    assert User.objects.filter(email__in=[entry.email for entry in people]).count() == 3
    assert other.enrolments.count() == 4


def test_saving_ones_e_mails_twice_at_once_saves_them(server: PostgresServer) -> None:
    ada = worlds.make().ada
    graded, verdict = (
        partial(choose_topics, user=ada, wanted=[topic]) for topic in (Topic.GRADED, Topic.VERDICT)
    )
    wait_behind(server, graded, verdict)
    assert [topic for topic, is_on in switches(ada) if is_on] == [Topic.VERDICT]


def test_a_section_that_is_created_twice_at_once_is_there_once(server: PostgresServer) -> None:
    world = worlds.make()
    client = Client(raise_request_exception=False)
    client.force_login(world.ida)

    def post() -> HttpResponse:
        return client.post("/courses/coop/sections/", {"name": "Monday"})

    create = partial(create_section, course=world.course, by=world.ida, name="Monday")
    page = cast("HttpResponse", wait_behind(server, create, post))
    assert page.status_code == 409
    assert "at the same moment" in text_of(page)
    assert world.course.sections.count() == 1


def test_a_game_that_is_uploaded_twice_at_once_is_one(server: PostgresServer) -> None:
    world = worlds.make()
    upload = partial(
        upload_game, course=world.course, by=world.ida, filename="x.zip", data=zipped()
    )
    assert race(server, world.course, upload, upload) == [GameFolder.objects.get()] * 2


def launch_into(course: Course) -> Launch:
    """Return the launch of a new student from a learning platform with which it is linked."""
    platform = register(
        "https://lms.example", client_id="1", deployment_ids="1", domains="uni.example"
    )
    at = {"deployment_id": "1", "context_id": "c"}
    by = course.enrolments.get(role="instructor").user
    LinkedCourse.objects.create(platform=platform, course=course, linked_by=by, **at)
    identity = Identity(
        provider=platform.identity_provider,
        provider_name="Moodle",
        subject="7",
        email="new@uni.example",
        is_verified=True,
        name="Newcomer",
    )
    place = Place(
        platform=platform.pk,
        title="",
        memberships_url="",
        resource_link_id="r",
        lineitem_url="",
        assignment=None,
        **at,
    )
    return Launch(platform=platform, is_staff=False, identity=identity, place=place)
