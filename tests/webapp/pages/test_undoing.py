"""Undo: the button beside the message takes an act of staff back, unless something followed."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from webapp.base.errors import CHANGED_SINCE
from webapp.grading.gradebook.models import ManualPoints
from webapp.grading.gradebook.points import all_points
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Assignment, Course, EnrolmentState, Extension, Role, Team
from webapp.teaching.courses.models.course import Section
from webapp.teaching.courses.releases import is_held
from webapp.teaching.courses.resolution import resolution_for
from webapp.teaching.courses.services import (
    change_people,
    create_assignment,
    create_section,
    set_leaderboard,
    set_looks_after,
    team_for,
)

pytestmark = pytest.mark.django_db

PEOPLE = COURSE + "people/"


def key(world: World, user: User) -> int:
    return world.course.enrolments.get(user=user).pk


def button(response: Any) -> tuple[str, dict[str, str]]:
    form = re.search(r'<form method="post" action="(/undo/\d+/)">(.*?)</form>', text_of(response))
    assert form is not None, text_of(response)
    return form[1], {"back": re.findall(r'name="back" value="([^"]*)"', form[2])[0]}


def do(client: Client, address: str, values: dict[str, Any]) -> Any:
    response = client.post(address, values, follow=True)
    assert response.status_code == 200
    return response


def undone(client: Client, response: Any) -> str:
    return text_of(client.post(*button(response), follow=True))


def enrolments(world: World) -> dict[str, tuple[str, str, Section | None, str, int]]:
    return {
        str(place.user): (
            place.role,
            place.state,
            place.section,
            place.student_number,
            place.time_percent,
        )
        for place in world.course.enrolments.select_related("user", "section")
    }


@pytest.mark.parametrize(
    ("place", "values"),
    [
        ("people/change/", {"person": "*", "act": "state:withdrawn", "reason": "Left"}),
        ("people/change/", {"person": "*", "act": "role:grader", "reason": "Helps"}),
        ("people/change/", {"person": "*", "act": "section:", "reason": ""}),
        ("people/{}/role/", {"role": "observer", "reason": "Looks on"}),
        ("people/{}/number/", {"student_number": "7001"}),
        ("people/{}/section/", {"section": ""}),
        ("people/{}/", {"time_percent": "150", "reason": "As agreed"}),
    ],
)
def test_changes_to_people_can_be_undone(place: str, values: dict[str, Any], world: World) -> None:
    client = signed_in(world.ida)
    confirm_address(world.ada)
    monday = create_section(course=world.course, by=world.ida, name="Monday")
    world.course.enrolments.filter(user=world.ada).update(section=monday)
    before, n_acts = enrolments(world), Act.objects.count()
    values = {**values, "person": [key(world, world.ada), key(world, world.cleo)]}
    done = do(client, COURSE + place.format(key(world, world.ada)), values)
    assert enrolments(world) != before
    n_done = Act.objects.count() - n_acts
    assert "Undone. The audit log has both entries." in undone(client, done)
    assert enrolments(world) == before
    assert Act.objects.count() == n_acts + 2 * n_done
    act, undo = Act.objects.all()[n_done], Act.objects.all()[0]
    assert (undo.kind, undo.before, undo.after) == (act.kind, act.after, act.before)


def test_nothing_is_undone_if_one_of_many_was_changed_since(world: World) -> None:
    client, people = signed_in(world.ida), [key(world, world.ada), key(world, world.ben)]
    values = {"person": people, "act": "state:withdrawn", "reason": "Left"}
    done = do(client, PEOPLE + "change/", values)
    change_people(
        course=world.course,
        by=world.ida,
        enrolments=[world.course.enrolments.get(user=world.ben)],
        state=EnrolmentState.REMOVED,
        reason="Asked for it",
    )
    assert CHANGED_SINCE in undone(client, done)
    states = dict(world.course.enrolments.values_list("user", "state"))
    assert (states[world.ada.pk], states[world.ben.pk]) == ("withdrawn", "removed")


def test_an_act_is_undone_once_and_only_by_the_person_who_did_it(world: World) -> None:
    client = signed_in(world.ida)
    values = {"person": [key(world, world.ada)], "act": "role:grader", "reason": "Helps"}
    address, sent = button(do(client, PEOPLE + "change/", values))
    assert signed_in(world.cleo).post(address, sent).status_code == 404
    assert signed_in(None).post(address, sent).status_code == 302
    assert client.get(address)["Location"] == "/"
    assert world.course.enrolments.get(user=world.ada).role == Role.GRADER
    assert client.post(address, sent)["Location"] == sent["back"] == "/courses/coop/people/"
    assert CHANGED_SINCE in text_of(client.post(address, sent, follow=True))
    for back in ("https://elsewhere.example/", "//elsewhere.example/", "elsewhere", ""):
        assert client.post(address, {"back": back})["Location"] == COURSE
    assert world.course.enrolments.get(user=world.ada).role == Role.STUDENT


def test_giving_up_ones_own_role_cannot_be_undone(world: World) -> None:
    change_people(
        course=world.course,
        by=world.ida,
        enrolments=[world.course.enrolments.get(user=world.ben)],
        role=Role.INSTRUCTOR,
        reason="Takes over",
    )
    values = {"role": "student", "reason": "Leaves", "sure": "yes"}
    page = do(signed_in(world.ida), f"{PEOPLE}{key(world, world.ida)}/role/", values)
    assert "/undo/" not in text_of(page)


@pytest.mark.parametrize("whose", ["team", "student"])
def test_undoing_an_extension_restores_the_one_before(whose: str, world: World) -> None:
    client, team = signed_in(world.ida), team_for(user=world.ada, assignment=world.assignment)
    place = f"teams/{team.pk}/extension/" if whose == "team" else f"dates/{key(world, world.ada)}/"
    due = []
    for days in (2, 5):
        until = timezone.localtime(world.assignment.due_at + timedelta(days=days))
        values = {"due_at": until.strftime("%Y-%m-%dT%H:%M"), "reason": "Ill"}
        done = do(client, ASSIGNMENT + place, values)
        due.append(resolution_for(world.ada, world.assignment).deadline.due_at)
    assert due[0] < due[1]
    assert "Undone" in undone(client, done)
    assert resolution_for(world.ada, world.assignment).deadline.due_at == due[0]
    assert Extension.objects.count() == 3
    assert CHANGED_SINCE in undone(client, done)


def test_undoing_points_by_hand_restores_those_before(world: World) -> None:
    client = signed_in(world.ida)
    address = f"{ASSIGNMENT}grades/{key(world, world.ada)}/"
    first = do(client, address, {"points": "3", "comment": "Well done", "reason": "Extra"})
    second = do(client, address, {"points": "9", "replaces": "yes", "reason": "Mistake"})
    assert CHANGED_SINCE in undone(client, first)
    assert "Undone" in undone(client, second)
    points = all_points([world.assignment], [world.ada.pk])[world.assignment.pk, world.ada.pk]
    assert (points.total, points.by_hand and points.by_hand.comment) == (3, "Well done")
    assert ManualPoints.objects.count() == 3


def test_points_of_a_whole_team_are_taken_back_together(world: World) -> None:
    client = signed_in(world.ida)
    team = team_for(user=world.ada, assignment=world.assignment)
    team.memberships.create(assignment=world.assignment, user=world.ben)
    values = {"points": "4", "reason": "A fine report", "with_partners": "on"}
    done = do(client, f"{ASSIGNMENT}grades/{key(world, world.ada)}/", values)
    both = [world.ada.pk, world.ben.pk]
    assert {row.total for row in all_points([world.assignment], both).values()} == {Decimal(4)}
    assert "Undone" in undone(client, done)
    assert {row.total for row in all_points([world.assignment], both).values()} <= {None, 0}


def test_a_release_is_taken_back_and_others_stay(world: World) -> None:
    client = signed_in(world.ida)
    world.assignment.holds_grades = True
    world.assignment.save()
    monday = create_section(course=world.course, by=world.ida, name="Monday")
    address = ASSIGNMENT + "grades/release/"
    do(client, address, {"section": str(monday.pk)})
    done = do(client, address, {"section": ""})
    assert not is_held(world.assignment)
    assert "Undone" in undone(client, done)
    assert is_held(world.assignment)
    assert [release.section for release in world.assignment.releases.all()] == [monday]
    assert Act.objects.first().kind == ActKind.GRADES_HELD.name_kept  # type: ignore[union-attr]
    assert CHANGED_SINCE in undone(client, done)


def test_the_leaderboard_is_as_visible_as_before(world: World) -> None:
    client, before = signed_in(world.ida), world.assignment.leaderboard
    done = do(client, ASSIGNMENT + "leaderboard/visibility/", {"visibility": "public"})
    assert "Undone" in undone(client, done)
    world.assignment.refresh_from_db()
    assert world.assignment.leaderboard == before
    set_leaderboard(assignment=world.assignment, by=world.ida, visibility=before)  # as it is


@pytest.mark.parametrize("has_new_title", [True, False])
def test_a_leaderboard_stays_if_the_title_in_the_log_no_longer_tells_which(
    world: World, *, has_new_title: bool
) -> None:
    client, assignment = signed_in(world.ida), world.assignment
    done = do(client, ASSIGNMENT + "leaderboard/visibility/", {"visibility": "public"})
    if has_new_title:
        Assignment.objects.filter(pk=assignment.pk).update(title="Fireworks")
    else:
        create_assignment(
            course=world.course,
            by=world.ida,
            slug="again",
            title=assignment.title,
            due_at=assignment.due_at,
        )
    assert CHANGED_SINCE in undone(client, done)
    assignment.refresh_from_db()
    assert assignment.leaderboard == "public"


def test_a_student_goes_back_to_the_team_before_while_it_is_there(world: World) -> None:
    client = signed_in(world.ida)
    worlds.upload(world, world.ada)
    team = team_for(user=world.ben, assignment=world.assignment)
    values = {"student": str(world.ada.pk), "team": str(team.pk)}
    done = do(client, ASSIGNMENT + "teams/move/", values)
    assert set(team.users.all()) == {world.ada, world.ben}
    assert "Undone" in undone(client, done)
    assert set(team.users.all()) == {world.ben}
    own = team_for(user=world.ada, assignment=world.assignment)
    values = {"student": str(world.ben.pk), "team": str(own.pk)}
    assert "/undo/" not in text_of(do(client, ASSIGNMENT + "teams/move/", values))


def test_staff_of_a_section_undo_a_move_out_of_a_team_with_another_section(world: World) -> None:
    monday = create_section(course=world.course, by=world.ida, name="Monday")
    world.course.enrolments.filter(user=world.ada).update(section=monday)
    cleo = world.course.enrolments.get(user=world.cleo)
    set_looks_after(enrolment=cleo, by=world.ida, sections=[monday])
    Course.objects.update(staff_keep_to_sections=True)
    team = team_for(user=world.ben, assignment=world.assignment)
    team.memberships.create(assignment=world.assignment, user=world.ada)
    empty = Team.objects.create(assignment=world.assignment, name="Empty", alias="Empty")
    client = signed_in(world.cleo)
    values = {"student": str(world.ada.pk), "team": str(empty.pk)}
    done = do(client, ASSIGNMENT + "teams/move/", values)
    assert list(team.users.all()) == [world.ben]
    assert "Undone" in undone(client, done)
    assert set(team.users.all()) == {world.ada, world.ben}


def test_nothing_is_undone_in_an_archived_course(world: World) -> None:
    client = signed_in(world.ida)
    done = do(client, f"{PEOPLE}{key(world, world.ada)}/number/", {"student_number": "7001"})
    Course.objects.update(archived_at=timezone.now())
    assert "archived" in undone(client, done)
    assert world.course.enrolments.get(user=world.ada).student_number == "7001"


def test_hundreds_of_people_are_taken_back_in_few_queries(
    world: World, django_assert_max_num_queries: Any
) -> None:
    users = User.objects.bulk_create(
        User(email=f"s{index:03}@uni.example", display_name=f"S {index}", password="!")
        for index in range(300)
    )
    rows: list[Model] = [
        world.course.enrolments.model(course=world.course, user=user) for user in users
    ]
    world.course.enrolments.model.objects.bulk_create(rows)
    client, sent = signed_in(world.ida), {"act": "state:withdrawn", "reason": "Left"}
    sent |= {"person": [place.pk for place in rows]}
    with django_assert_max_num_queries(80):
        assert "Undone" in undone(client, do(client, PEOPLE + "change/", sent))
    assert not world.course.enrolments.exclude(state=EnrolmentState.ACTIVE).exists()


def test_many_teams_get_more_time_together_and_it_is_taken_back(world: World) -> None:
    client = signed_in(world.ida)
    teams = [team_for(user=user, assignment=world.assignment) for user in (world.ada, world.ben)]
    address = ASSIGNMENT + "teams/extensions/"
    assert 'form="chosen"' in text_of(client.get(ASSIGNMENT + "teams/"))
    chosen = address + "?" + "&".join(f"team={team.pk}" for team in teams)
    assert "Give 2 teams more time?" in text_of(client.get(chosen))
    assert client.post(chosen, {"due_at": "", "reason": ""}).status_code == 422
    for user, status in ((world.ada, 403), (None, 302)):
        assert signed_in(user).get(chosen).status_code == status
    assert "Choose teams first." in text_of(client.get(address, follow=True))
    until = timezone.localtime(world.assignment.due_at + timedelta(days=2))
    values = {"due_at": until.strftime("%Y-%m-%dT%H:%M"), "reason": "The network was down"}
    done = do(client, chosen, values)
    assert "2 teams got time until" in text_of(done)
    assert Extension.objects.filter(team__in=teams).count() == 2
    assert Notification.objects.filter(topic="extension").count() == 2
    assert "Undone" in undone(client, done)
    for user in (world.ada, world.ben):
        deadline = resolution_for(user, world.assignment).deadline
        assert deadline.due_at == world.assignment.due_at
