"""A student is invited, uploads an agent, gets a grade, and has it looked at again."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, every, follow, one, press, text, until
from tests.support.world import World
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BOARD = "/courses/coop/assignments/hanabi/leaderboard/"


def test_a_student_goes_from_an_invitation_to_a_regraded_grade(
    browser: Chrome, world: World, sign_in: SignIn, visit: Visit, tmp_path: Path
) -> None:
    # Ida copies the link of her course's page, and Dora opens it.
    Assignment.objects.update(leaderboard="public")
    sign_in(world.ida, "/")
    follow(browser, By.LINK_TEXT, world.course.title)
    invitation = one(browser, "#invite ~ p a.break").get_attribute("href")
    sign_in(None)
    browser.get(str(invitation))
    enter(
        browser,
        display_name="Dora Maar",
        email="dora@example.org",
        password="a-walk-in-the-rain",
    )
    press(browser, "Create my account", then=world.assignment.title)
    dora = User.objects.get(email="dora@example.org")

    # She uploads her agent, sees it tested while she waits, and opens a game of it.
    follow(browser, By.LINK_TEXT, world.assignment.title)
    agent = tmp_path / "agent.py"
    agent.write_bytes(worlds.SOURCE)
    one(browser, "input[type=file]").send_keys(str(agent))
    press(browser, "Upload", then="Submission 1")
    submission = Submission.objects.get(team__memberships__user=dora)
    worlds.play(submission.evaluations.get(kind="smoke"))
    worlds.play(submission.evaluations.get(kind="practice"))
    until(browser, lambda: "Accepted" in browser.title)
    follow(browser, By.LINK_TEXT, "All games")
    every(browser, "tbody a")[0].click()
    until(browser, lambda: every(browser, ".transport"))

    # The due date passes. Ida has the games graded, and adds points and a comment by hand.
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(hours=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(minutes=1))
    worlds.grade(world, dora, agent="piers")
    sign_in(world.ida, "/")
    follow(browser, By.LINK_TEXT, world.assignment.title)
    follow(browser, By.LINK_TEXT, "Teams and grading")
    follow(browser, By.LINK_TEXT, "Gradebook")
    follow(browser, By.LINK_TEXT, "Dora Maar")
    enter(browser, points="3.5", comment="Well explained.", reason="Talk")
    press(browser, "Save points", then="+3.50 by Ida Rhodes")

    # Dora finds her grade with the comment, and asks about it. Nobody else reads it.
    sign_in(dora, "/")
    follow(browser, By.LINK_TEXT, world.assignment.title)
    assert "+3.50 by Ida Rhodes" in text(browser)
    assert "Well explained." in text(browser)
    follow(browser, By.PARTIAL_LINK_TEXT, "regrade requests")
    enter(browser, text="Game 3 was lost by the clock.")
    press(browser, "Ask for a regrade", then="Your request was sent to the staff.")
    grade = browser.current_url
    sign_in(world.ben)
    browser.get(grade)
    assert "0 points: no accepted upload" in text(browser)
    assert "Well explained." not in text(browser)
    sign_in(None)
    board = visit(BOARD)
    assert dora.teams.get().alias in board
    assert "Dora" not in board

    # Ida is told that somebody waits, and answers.
    sign_in(world.ida, "/")
    follow(browser, By.LINK_TEXT, world.course.title)
    follow(browser, By.PARTIAL_LINK_TEXT, "egrade request")
    follow(browser, By.LINK_TEXT, "Dora Maar")
    one(browser, "input[value=changed]").click()
    enter(browser, points="99", answer="You are right.")
    press(browser, "Send the answer", then="Regrade request of Dora Maar answered.")
    sign_in(dora)
    browser.get(grade)
    assert "99 points" in text(browser)
    assert "You are right." in text(browser)
