"""An instructor begins on an empty site, runs an assignment, grades it, and ends the course."""

import csv
import io
from datetime import timedelta

import pytest
import requests
from django.utils import timezone
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, every, follow, one, press, text, until
from tests.support.grading import evaluations_of
from tests.support.processes import PATIENCE_SECONDS
from webapp.grading.evaluations.models import GradingRun
from webapp.grading.gradebook.points import grade_of
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.services import enrol_by_code

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

COURSE, TITLE = "Cooperative agents", "Hanabi with a twin"


def test_an_instructor_goes_from_an_empty_site_to_an_archived_course(
    browser: Chrome, sign_in: SignIn, visit: Visit
) -> None:
    def open_assignment(user: User) -> None:
        sign_in(user, "/")
        follow(browser, By.LINK_TEXT, TITLE)

    # Ida has an account and nothing else. She creates a course.
    ida = worlds.person("Ida Rhodes", may_create_courses=True)
    sign_in(None, "/")
    follow(browser, By.LINK_TEXT, "Sign in")
    enter(browser, username=ida.email, password=worlds.PASSWORD)
    press(browser, "Sign in", then="You are in no course yet")
    follow(browser, By.LINK_TEXT, "Create a course")
    enter(browser, title=COURSE)
    press(browser, "Create course", then=COURSE)

    # Of an assignment's questions she answers two; the others have good answers.
    follow(browser, By.LINK_TEXT, "New assignment")
    enter(browser, title=TITLE, n_games="12")
    one(browser, "[name=holds_grades]").click()
    press(browser, "Create assignment", then="Assignment created.")

    # Ada and Ben join with the code of the course. Ada uploads an agent; the due date passes.
    assignment = Assignment.objects.get()
    ada, ben = worlds.person("Ada Lovelace"), worlds.person("Ben Okri")
    for user in (ada, ben):
        enrol_by_code(user=user, invite_code=assignment.course.invite_code)
    world = worlds.World(ada, ben, ben, ida, assignment.course, assignment)
    worlds.submit_and_practise(world, ada)
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(hours=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(minutes=1))

    # Her page says what to do now: grade. The games are played; nobody sees the grades yet.
    sign_in(ida, "/")
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.PARTIAL_LINK_TEXT, "Grade all teams…")
    press(browser, "Start grading")
    for evaluation in evaluations_of(GradingRun.objects.get()):
        worlds.play(evaluation, agent="piers")
    open_assignment(ada)
    assert "Points are not released yet" in text(browser)
    follow(browser, By.LINK_TEXT, "Leaderboard")
    assert "Grades are not released yet" in text(browser)

    # She tries another scheme, sees what it would change, and says why.
    open_assignment(ida)
    follow(browser, By.LINK_TEXT, "Edit")
    enter(browser, full_points="50")
    press(browser, "Save assignment", then="Nothing has been saved yet.")
    enter(browser, scheme_reason="Half of the exam")
    press(browser, "Change the scheme", then="The points of 1 team were recomputed.")

    # She releases the grades, takes that back, and releases them again.
    visit("/")
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.PARTIAL_LINK_TEXT, "Release grades…")
    press(browser, "Release to everybody", then="Students see their grades.")
    press(browser, "Undo", then="Undone. The audit log has both entries.")
    press(browser, "Release to everybody", then="Students see their grades.")
    open_assignment(ada)
    follow(browser, By.PARTIAL_LINK_TEXT, "How it changed")
    assert "Half of the exam" in text(browser)

    # Canvas gets the points by a file of the gradebook.
    sign_in(ida, "/")
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.LINK_TEXT, "Gradebook")
    grade = grade_of(worlds.team_of(world, ada))
    assert grade is not None
    assert float(points_in_canvas(browser)["ada"]) == float(grade.points)

    # She is asked before the secret is told; then Ada opens her graded games.
    visit("/")
    follow(browser, By.LINK_TEXT, TITLE)
    follow(browser, By.LINK_TEXT, "Teams and grading")
    follow(browser, By.LINK_TEXT, "Reveal the secret…")
    assert "This cannot be undone." in text(browser)
    press(browser, "Reveal the secret for good", then="Students can replay graded games")
    open_assignment(ada)
    follow(browser, By.PARTIAL_LINK_TEXT, "Graded games of submission 1")
    follow(browser, By.PARTIAL_LINK_TEXT, "Watch from turn")
    until(browser, lambda: every(browser, ".transport"))

    # The term is over: the log has all of it, and the course is archived; Ada can still read it.
    sign_in(ida, "/")
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.LINK_TEXT, "Audit log")
    for act in ("Grades released", "Undone", "Half of the exam", "Deals revealed"):
        assert act in text(browser), act
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.LINK_TEXT, "Copy, archive, delete")
    press(browser, "Archive course", then="The course is archived")
    open_assignment(ada)
    assert "uploads are closed" in text(browser)

    # A year later she deletes it, typing its name twice; nobody finds it any more.
    sign_in(ida, "/")
    follow(browser, By.LINK_TEXT, COURSE)
    follow(browser, By.LINK_TEXT, "Copy, archive, delete")
    follow(browser, By.LINK_TEXT, "Delete course…")
    slug = assignment.course.slug
    enter(browser, slug="another", reason="Over")
    press(browser, "Delete course for good", then=f"Delete {COURSE}?")
    enter(browser, slug=slug)
    press(browser, "Delete course for good", then="deleted")
    for user in (ida, ada):
        sign_in(user)
        assert COURSE not in visit("/")


def points_in_canvas(browser: Chrome) -> dict[str, str]:
    """Return the points in the gradebook's file for Canvas, by sign-in name."""
    address = one(browser, "main").find_element(By.LINK_TEXT, "Canvas").get_attribute("href")
    cookies = {cookie["name"]: cookie["value"] for cookie in browser.get_cookies()}
    file = requests.get(str(address), cookies=cookies, timeout=PATIENCE_SECONDS).text
    return {line["SIS Login ID"]: line[TITLE] for line in csv.DictReader(io.StringIO(file))}
