"""A visitor plays Hearts to its end, without an account, and sends the game to another one."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support.browsing import SignIn, every, follow, one
from tests.support.hearts_match import play_match

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.usefixtures("without_animation")
def test_a_visitor_plays_a_match_of_hearts_to_a_hundred_points(
    browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    sign_in(None)
    browser.get(site.url)
    follow(browser, By.LINK_TEXT, "Play a game against our agents")
    follow(browser, By.XPATH, "//button[.='Play Hearts']")
    assert "100 points end the game" in one(browser, ".match").text

    hands = play_match(browser)

    assert sorted(set(hands)) == list(range(1, hands[-1] + 1))
    assert hands[-1] > 1
    assert "point" in one(browser, "#result").text
    totals = [int(cell.text) for cell in every(browser, ".totals .end td")]
    assert max(totals) >= 100
    assert len(every(browser, ".part")) == hands[-1]

    # The visitor sends the game to another one, who has no cookie.
    follow(browser, By.LINK_TEXT, "Show it to others")
    address = browser.current_url
    browser.delete_all_cookies()
    browser.get(address)
    assert "A person, Gwen" in one(browser, "#main").text
    assert len(every(browser, ".part")) == hands[-1]
    assert browser.get_cookies() == []
