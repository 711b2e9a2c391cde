"""Grades from held to released to asked about: Ida, Ada and Ben at their browsers, Vic outside."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, follow, press, text
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ASSIGNMENT = "/courses/coop/assignments/hanabi/"


@pytest.fixture
def world(site: LiveServer, transactional_db: None) -> World:
    """Ada has practised; the grades of her assignment are held, its board is public."""
    world = copy_of(worlds.make_practised)
    Assignment.objects.update(holds_grades=True, leaderboard="public")
    return world


def test_a_grade_is_held_adjusted_released_asked_about_and_answered(
    world: World, browser: Chrome, sign_in: SignIn, visit: Visit
) -> None:
    def own_grade_of(user: User) -> str:
        sign_in(user)
        return visit(ASSIGNMENT + "my-grade/")

    worlds.grade(world, world.ada, agent="piers")
    assert "Points are not released yet" in own_grade_of(world.ada)
    sign_in(None)
    assert "Grades are not released yet" in visit(ASSIGNMENT + "leaderboard/")

    sign_in(world.ida)
    visit(ASSIGNMENT + "grades/")
    follow(browser, By.LINK_TEXT, "Ada Lovelace")
    enter(browser, points="3.5", comment="Well explained.", reason="Talk")
    press(browser, "Save points", then="held, the student does not see it")
    assert "+3.50 by Ida Rhodes" in text(browser)
    visit(ASSIGNMENT + "grades/release/")
    press(browser, "Release to everybody", then="Students see their grades.")

    grade = own_grade_of(world.ada)
    assert "+3.50 by Ida Rhodes" in grade
    assert "Well explained." in grade
    enter(browser, text="Game 3 was lost by the clock.")
    press(browser, "Ask for a regrade", then="Your request was sent to the staff.")
    assert "There are no points yet." in own_grade_of(world.ben)
    sign_in(None)
    assert world.ada.teams.get().alias in visit(ASSIGNMENT + "leaderboard/")

    sign_in(world.ida)
    visit("/courses/coop/regrades/")
    follow(browser, By.LINK_TEXT, "Ada Lovelace")
    browser.find_element(By.CSS_SELECTOR, "input[value=changed]").click()
    enter(browser, points="99", answer="You are right.")
    press(browser, "Send the answer", then="Regrade request of Ada Lovelace answered.")
    grade = own_grade_of(world.ada)
    assert "99 points" in grade
    assert "You are right." in grade
