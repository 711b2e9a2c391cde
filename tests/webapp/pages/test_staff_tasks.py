"""Tasks of a course's staff: only open ones, only for those who can do them, in few queries."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support import similar
from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.story import operations, second_assignment
from tests.support.world import World
from webapp.flow.lifecycle.services.archiving import archive_course
from webapp.flow.pipeline import release_grades
from webapp.grading.evaluations.services import grade_team
from webapp.grading.gradebook.services import ask_regrade
from webapp.grading.similarity.selectors import latest
from webapp.grading.similarity.services import go_on_comparing, note_opened, start_comparison
from webapp.grading.submissions.models import Submission
from webapp.pages.staff_tasks import tasks_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import viewer_in
from webapp.teaching.courses.services import hold_grades

pytestmark = pytest.mark.django_db


def titles(user: User, world: World, days: int = 0) -> list[str]:
    world.course.refresh_from_db()
    assignments = list(world.course.assignments.select_related("course"))
    at = timezone.now() + timedelta(days=days)
    return [task.title for task in tasks_of(viewer_in(user, world.course), assignments, at=at)]


def over(world: World) -> None:
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(days=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(hours=1))
    world.assignment.refresh_from_db()


def test_grading_is_urged_once_uploads_are_closed(world: World, practised: Submission) -> None:
    ida = signed_in(world.ida)
    urged = re.compile(r'class="button primary"[^>]*>Grade all teams…')
    assert not urged.search(text_of(ida.get(ASSIGNMENT + "teams/")))
    over(world)
    assert len(urged.findall(text_of(ida.get(ASSIGNMENT + "teams/")))) == 1


def test_nothing_is_shown_where_nothing_is_to_do(world: World, practised: Submission) -> None:
    Assignment.objects.update(due_at=timezone.now() + timedelta(days=30))
    for address in (COURSE, ASSIGNMENT + "teams/"):
        assert "What to do now" not in text_of(signed_in(world.ida).get(address))


def test_ungraded_work_after_the_deadline_is_a_task(world: World, practised: Submission) -> None:
    over(world)
    missing = "1 of 2 students has uploaded nothing"
    assert titles(world.ida, world) == [missing, "Grade 1 team"]
    evaluation = grade_team(team=practised.team, by=world.ida)
    assert titles(world.ida, world) == [missing]
    worlds.fail(evaluation)
    assert titles(world.ida, world) == ["Decide about 1 failed evaluation", missing]
    page = signed_in(world.ida).get(COURSE)
    assert "Hanabi with a twin.</b> Our machines failed." in text_of(page)
    assert b"teams/#failed" in page.content


def test_faults_are_looked_at_and_grades_released_and_requests_answered(
    world: World, practised: Submission
) -> None:
    worlds.grade(world, world.ada, faults={1, 2})
    over(world)
    hold_grades(assignment=world.assignment, by=world.ida, reason="To be checked first.")
    missing, look = "1 of 2 students has uploaded nothing", "Look at 1 team with many faults"
    release = "Release the grades of 1 team"
    assert titles(world.ida, world) == [missing, look, release]
    assert titles(world.cleo, world) == [missing, look]
    assert titles(world.ida, world, days=9) == [look, release]
    staff = signed_in(world.ida)
    assert "teams/?show=no-upload#teams" in text_of(staff.get(COURSE))
    assert "Ada Lovelace" in text_of(staff.get(ASSIGNMENT + "teams/?show=faults"))
    shown = text_of(staff.get(ASSIGNMENT + "grades/?show=nothing"))
    assert "Ben Okri" in shown
    assert "Ada Lovelace" not in shown
    release_grades(assignment=world.assignment, by=world.ida)
    assert titles(world.ida, world, days=9) == []
    ask_regrade(assignment=world.assignment, user=world.ada, text="Why so few?")
    assert titles(world.cleo, world, days=9) == ["Answer 1 regrade request"]
    assert "Answer 1 regrade request" not in text_of(signed_in(world.ada).get(COURSE))
    archive_course(course=world.course, by=world.ida)
    assert titles(world.ida, world, days=9) == []


@pytest.mark.slow
def test_similar_pairs_are_to_be_read_until_somebody_opens_one(db: None) -> None:
    world = similar.make()
    world.assignment.refresh_from_db()
    read = "Read 1 pair of similar sources"
    start_comparison(assignment=world.assignment, by=world.ida)
    assert read not in titles(world.ida, world)
    go_on_comparing(at=timezone.now(), seconds=60)
    assert read in titles(world.ida, world)
    assert read not in titles(world.cleo, world)
    comparison = latest(world.assignment)
    assert comparison is not None
    note_opened(pair=comparison.pairs.get(), by=world.ida)
    assert read not in titles(world.ida, world)


def test_operators_are_told_of_graders(world: World) -> None:
    olga = operations()
    assert "Look at 2 graders of 3" in titles(olga, world)
    assert "Look at 2 graders of 3" not in titles(world.ida, world)


def test_the_tasks_of_several_assignments_take_few_queries(
    world: World, practised: Submission, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    over(world)
    second_assignment(world)
    with django_assert_max_num_queries(16):
        titles(world.ida, world)
