"""A student registers, writes in the editor, tries, mends, uploads, and has a place."""

import time

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import ActionChains, Chrome, Keys

from tests.support import world as worlds
from tests.support.browsing import every, one, until
from tests.support.deployment import Deployment
from tests.support.visitor import Visitor
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import LeaderboardVisibility

pytestmark = [
    pytest.mark.browser,
    pytest.mark.docker,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

PLACE = 16
"""The line of the kit's agent where the student makes a mistake: the first of ``act``."""
MISTAKE = "observation.hidden"


def types(browser: Chrome, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def line_of_cursor(browser: Chrome) -> int:
    section = one(browser, ".editor-file:not([hidden])")
    script = "return arguments[0].editor.getCursorPosition().row"
    return int(browser.execute_script(script, section)) + 1


def test_a_student_goes_from_registering_to_a_place_without_leaving_the_browser(
    deployment: Deployment, browser: Chrome, site: LiveServer
) -> None:
    people = worlds.make(
        games=4, practice_games=4, leaderboard=LeaderboardVisibility.COURSE, smoke_games=10
    )
    visitor = Visitor(browser, site)
    browser.delete_all_cookies()
    browser.set_window_size(1280, 900)
    began = time.monotonic()
    visitor.goes_to("/accounts/register/")
    visitor.fills(
        invite_code=people.course.invite_code, display_name="Dora Minh", email="dora@example.org",
        password="a-walk-in-the-rain",
    )  # fmt: skip
    visitor.presses("Create my account")
    visitor.follows("Hanabi with a twin")
    visitor.follows("Write it in the browser")

    one(browser, ".editor-file:not([hidden]) .ace_content").click()
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.HOME).key_up(Keys.CONTROL).perform()
    types(browser, *[Keys.DOWN] * (PLACE - 2), Keys.END)
    types(browser, Keys.ENTER, MISTAKE)
    assert line_of_cursor(browser) == PLACE
    one(browser, "button[value=try]").click()
    until(browser, lambda: every(browser, f".editor-mark[data-line='{PLACE}']"))
    visitor.sees(f"agent.py line {PLACE}: AttributeError")
    visitor.sees("Watch game 0 at turn 0")
    until(browser, lambda: every(browser, ".ace_gutter-cell.ace_error"))
    assert one(browser, ".ace_gutter-cell.ace_error").text == str(PLACE)
    assert not Submission.objects.exists()

    one(browser, ".editor-mark .where a").click()
    assert line_of_cursor(browser) == PLACE
    types(browser, Keys.HOME, *[Keys.DELETE] * len(MISTAKE))
    one(browser, "button[value=try]").click()
    visitor.sees("Accepted: all 10 try games", seconds=60)
    assert not every(browser, ".ace_gutter-cell.ace_error")

    visitor.presses("Upload as version 1")
    visitor.sees("Submission 1")
    visitor.sees("games\n4\n", seconds=120)
    visitor.goes_to("/courses/coop/assignments/hanabi/leaderboard/?kind=practice")
    visitor.finds(".you")
    print(f"from registering to a place: {time.monotonic() - began:.0f} s")
