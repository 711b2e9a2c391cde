"""A student sends a game to a visitor, who steps through it until the student takes it back."""

from urllib.parse import urlsplit

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, follow, one
from tests.support.processes import wait_until
from tests.support.world import World

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.usefixtures("without_animation")
def test_a_visitor_watches_a_game_by_a_link_until_it_is_taken_back(
    browser: Chrome, site: LiveServer, world: World, sign_in: SignIn, settings: Settings
) -> None:
    settings.SITE_URL = site.url
    submission = worlds.submit_and_practise(world, world.ada)
    practice = submission.evaluations.get(kind="practice")

    # Ada looks at a turn, and makes a link to it.
    sign_in(world.ada, f"/evaluations/{practice.uuid}/games/0/?turn=7")
    follow(browser, By.XPATH, "//button[normalize-space()='Copy link…']")
    assert "without an account" in one(browser, "#main").text
    follow(browser, By.XPATH, "//button[.='Make a public link']")
    link = one(browser, ".command code").text
    assert urlsplit(link).query == "turn=7"

    # Vic has another browser, without any cookie.
    ada = browser.get_cookies()
    browser.delete_all_cookies()
    browser.get(link)
    assert "A game of Hanabi" in one(browser, "h1").text
    assert world.ada.display_name not in one(browser, "#main").text
    assert turn(browser) == "7"
    one(browser, "body").send_keys("\ue014")  # the right arrow
    wait_until(lambda: browser.current_url.endswith("turn=8"), why="the next turn in the address")
    assert turn(browser) == "8"
    assert browser.get_cookies() == []
    seen = browser.current_url

    # Ada takes it back on her account page.
    for cookie in ada:
        browser.add_cookie(cookie)
    browser.get(f"{site.url}/accounts/profile/")
    follow(browser, By.LINK_TEXT, "Take back…")
    follow(browser, By.XPATH, "//button[.='Take the link back']")

    browser.delete_all_cookies()
    browser.get(seen)
    assert "has taken it back" in one(browser, "#main").text


def turn(browser: Chrome) -> str:
    return one(browser, ".turn-field").get_attribute("value") or ""
