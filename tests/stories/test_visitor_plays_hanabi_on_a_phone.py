"""A visitor plays Hanabi with four partners on a phone, to its end, by touching what is visible."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.support.browsing import SignIn, enter, every, follow, one, resize, until
from tests.support.hearts_match import is_my_turn, is_over

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDTH, HEIGHT = 375, 667


@pytest.fixture(autouse=True)
def _phone(browser: Chrome) -> None:
    resize(browser, WIDTH, HEIGHT, deviceScaleFactor=2, mobile=True)


@pytest.mark.usefixtures("without_animation")
def test_a_visitor_plays_hanabi_with_four_partners_on_a_phone(
    browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    sign_in(None)
    browser.get(site.url)
    follow(browser, By.LINK_TEXT, "Play a game against our agents")
    enter(browser, players="5")
    until(browser, lambda: every(browser, "#hanabi-agent4"))
    follow(browser, By.XPATH, "//button[.='Play Hanabi']")

    turns = 0
    while play_turn(browser):
        turns += 1

    assert turns >= 5
    assert "point" in one(browser, "#result").text
    assert len(every(browser, ".hand")) == 5
    assert not every(browser, ".face.back")


def play_turn(browser: Chrome) -> bool:
    """Discard the oldest card, or hint while the table has all tokens; False at the end."""
    until(browser, lambda: is_my_turn(browser) or is_over(browser))
    if is_over(browser):
        return False
    touch(browser, one(browser, ".own .slot button"))
    discard = browser.find_elements(By.XPATH, "//button[.='Discard it']")
    if discard:
        touch(browser, discard[0])
    else:
        touch(browser, one(browser, ".hint-button:enabled"))
        touch(browser, browser.find_element(By.XPATH, "//button[.='Give hint']"))
    return True


def touch(browser: Chrome, element: WebElement) -> None:
    """Scroll to it, unless it is in sight, and touch it: nothing may lie over it or be cut off."""
    browser.execute_script(
        "if (!arguments[0].closest('.play-bar')) arguments[0].scrollIntoView({block: 'center'})",
        element,
    )
    assert browser.execute_script("return document.documentElement.scrollWidth") <= WIDTH
    bar = one(browser, ".play-bar").rect
    assert bar["y"] + bar["height"] <= browser.execute_script("return scrollY") + HEIGHT + 1
    element.click()
