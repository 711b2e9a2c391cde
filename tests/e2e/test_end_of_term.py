"""The end of a term: another scheme, a release taken back, a file, the secret, a course's end."""

import csv
import io
from datetime import timedelta

import pytest
import requests
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, follow, press, text
from tests.support.processes import PATIENCE_SECONDS
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.gradebook.points import grade_of
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Course

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

COURSE = "/courses/coop/"
ASSIGNMENT = COURSE + "assignments/hanabi/"


def make_graded() -> World:
    """The due date has passed; Ada has a grade, which is held."""
    world = copy_of(worlds.make_practised)
    worlds.grade(world, world.ada, agent="piers")
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(hours=1))
    Assignment.objects.update(
        holds_grades=True, opens_at=now - timedelta(days=9), due_at=now - timedelta(minutes=1)
    )
    return world


@pytest.fixture
def world(site: LiveServer, transactional_db: None) -> World:
    """A copy of that world."""
    return copy_of(make_graded)


def test_a_course_goes_from_another_grading_scheme_to_its_end(
    browser: Chrome, sign_in: SignIn, visit: Visit, world: World
) -> None:
    def points() -> str:
        grade = grade_of(worlds.team_of(world, world.ada))
        assert grade is not None
        return f"{grade.points.normalize():f}"

    # Ida looks at what another scheme would change before she changes it, and says why.
    sign_in(world.ida)
    before = points()
    visit(ASSIGNMENT + "edit/")
    enter(browser, full_points="50")
    press(browser, "Save assignment", then="1 team would lose some")
    assert "Nothing has been saved yet." in text(browser)
    assert points() == before
    enter(browser, scheme_reason="Half of the exam")
    press(browser, "Change the scheme", then="The points of 1 team were recomputed.")
    assert points() != before

    # She releases the grades, takes that back, and releases them again.
    visit(ASSIGNMENT + "grades/release/")
    press(browser, "Release to everybody", then="Students see their grades.")
    press(browser, "Undo", then="Undone. The audit log has both entries.")
    sign_in(world.ada)
    assert "Points are not released yet" in visit(ASSIGNMENT + "my-grade/")
    sign_in(world.ida)
    visit(ASSIGNMENT + "grades/release/")
    press(browser, "Release to everybody", then="Students see their grades.")

    # Canvas gets the points by a file of the gradebook.
    visit(COURSE)
    follow(browser, By.LINK_TEXT, "Gradebook")
    address = browser.find_element(By.LINK_TEXT, "Canvas").get_attribute("href")
    cookies = {cookie["name"]: cookie["value"] for cookie in browser.get_cookies()}
    file = requests.get(str(address), cookies=cookies, timeout=PATIENCE_SECONDS).text
    lines = {line["SIS Login ID"]: line for line in csv.DictReader(io.StringIO(file))}
    assert float(lines["ada"][world.assignment.title]) == float(points())

    # She is asked before the secret is told; then Ada sees why, and opens her graded games.
    visit(ASSIGNMENT + "reveal/confirm/")
    assert "This cannot be undone." in text(browser)
    press(browser, "Reveal the secret for good", then="students can replay graded games")
    sign_in(world.ada)
    assert "Half of the exam" in visit(ASSIGNMENT + "my-grade/")
    assert "Game 0" in visit(f"/evaluations/{_graded(world)}/games/0/")
    sign_in(world.ben)
    assert "Half of the exam" not in visit(ASSIGNMENT + "my-grade/")

    # The log has all of it. The course is archived and deleted; nobody finds it any more.
    sign_in(world.ida)
    log = visit(COURSE + "log/")
    for act in ("Grades released", "Undone", "Half of the exam", "Deals revealed"):
        assert act in log, act
    visit(COURSE + "life/")
    press(browser, "Archive course", then="The course is archived")
    follow(browser, By.LINK_TEXT, "Delete course…")
    enter(browser, slug="co-op", reason="Over")
    press(browser, "Delete course for good", then=f"Delete {world.course.title}?")
    assert Course.objects.filter(slug="coop").exists()
    enter(browser, slug="coop")
    press(browser, "Delete course for good", then="deleted")
    for user in (world.ada, None):
        sign_in(user)
        assert world.course.title not in visit(COURSE)


def _graded(world: World) -> str:
    grade = grade_of(worlds.team_of(world, world.ada))
    assert grade is not None
    return str(grade.evaluation.uuid)
