"""An archived course can be read, and nothing in it changes."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support import world as worlds
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.ladders import services as ladders
from webapp.contests.ladders.services.staff import LadderSetting
from webapp.contests.playing import services as playing
from webapp.flow import pipeline
from webapp.flow.lifecycle.services.archiving import archive_course, unarchive_course
from webapp.flow.notifying import remind_of_deadlines
from webapp.grading.evaluations import services as evaluations
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services import choose_submission
from webapp.people.auditlog.models import Act
from webapp.teaching.announcements import services as announcements
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility, Role, Team

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


def acts_of_staff(world: World) -> dict[str, Callable[[], object]]:
    course, assignment, ida = world.course, world.assignment, world.ida
    ada = course.enrolments.get(user=world.ada)
    team, at = Team.objects.get(), timezone.now() + timedelta(days=1)
    return {
        "edit": lambda: services.update_course(course=course, by=ida, title="Other"),
        "code": lambda: services.renew_invite_code(course=course, by=ida),
        "role": lambda: services.set_role(enrolment=ada, by=ida, role=Role.GRADER, reason="x"),
        "number": lambda: services.set_student_number(enrolment=ada, by=ida, number="7"),
        "section": lambda: services.create_section(course=course, by=ida, name="Tuesday"),
        "assignment": lambda: services.create_assignment(course=course, by=ida, title="B"),
        "change": lambda: pipeline.update_assignment(assignment=assignment, by=ida, title="B"),
        "board": lambda: services.set_leaderboard(
            assignment=assignment, by=ida, visibility=LeaderboardVisibility.PUBLIC
        ),
        "extension": lambda: services.extend_deadline(team=team, by=ida, due_at=at, reason="ill"),
        "rename": lambda: services.rename_team(team=team, by=ida, name="X"),
        "announce": lambda: announcements.post(
            course=course, by=ida, title="A", text="B", at=timezone.now()
        ),
        "grade": lambda: evaluations.grade_team(team=team, by=ida),
        "reveal": lambda: services.reveal_secret(assignment=assignment, by=ida),
        "ladder": lambda: ladders.open_ladder(
            assignment=assignment, by=ida, setting=LadderSetting()
        ),
    }


def acts_of_students(world: World) -> dict[str, Callable[[], object]]:
    assignment, ada = world.assignment, world.ada
    team, submission = Team.objects.get(), Submission.objects.get()
    return {
        "upload": lambda: worlds.upload(world, ada),
        "rename": lambda: services.rename_team(team=team, by=ada, name="X"),
        "practise": lambda: evaluations.request_practice(submission=submission, by=ada),
        "choose": lambda: choose_submission(submission=submission, by=ada, at=timezone.now()),
        "join": lambda: services.enrol_by_code(
            user=worlds.person("Dora"), invite_code=world.course.invite_code
        ),
        "play": lambda: playing.start_game(
            assignment=assignment, by=ada, seat=0, agents=["house:iggi"]
        ),
    }


def refusals(acts: dict[str, Callable[[], object]]) -> dict[str, str]:
    found = {}
    for name, act in acts.items():
        with pytest.raises(Refused) as refusal:
            act()
        found[name] = str(refusal.value)
    return found


@pytest.mark.parametrize("acts_of", [acts_of_staff, acts_of_students])
def test_nothing_can_be_changed_in_an_archived_course(
    acts_of: Callable[[World], dict[str, Callable[[], object]]], archived: World
) -> None:
    n_acts, said = Act.objects.count(), {}
    for name, act in acts_of(archived).items():
        with pytest.raises(Refused) as refusal:
            act()
        said[name] = str(refusal.value)
    assert all(text.startswith("This course is archived") for text in said.values()), said
    assert Act.objects.count() == n_acts


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
