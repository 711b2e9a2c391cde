"""Watching a practice while it is played, in a real browser: one game, then the next."""

import re
from collections.abc import Callable

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import follow, leaving, one, prefer, text, until
from tests.support.looking import View, look
from tests.support.templates import copy_of
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LAST_TURN = "button[aria-label='Last turn']"


def test_the_newest_game_is_shown_and_then_the_next(
    browser: Chrome, site: LiveServer, sign_in: Callable[[User | None], None]
) -> None:
    world = copy_of(worlds.make)
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get())
    practice = worlds.play(submission.evaluations.get(kind="practice"), upto=5)
    sign_in(world.ada)
    base = f"{site.url}/evaluations/{practice.uuid}/"
    views = [View(1280, "light"), View(375, "dark")]
    assert look(browser, f"{base}games/4/?watch=1", views) == []
    prefer(browser, prefers_reduced_motion="no-preference")
    browser.get(f"{site.url}/submissions/{submission.pk}/")
    follow(browser, By.LINK_TEXT, "Watch its games")
    until(browser, lambda: re.match(r"Turn [1-9]", one(browser, ".sentence").text))
    worlds.play(practice)
    told = text(browser)
    assert not re.search(r"Game 4: |Ended after", told), told
    with leaving(browser):
        one(browser, LAST_TURN).click()
    assert browser.current_url.startswith(f"{base}games/11/?watch=1")
    assert "Ended after" not in text(browser)
    one(browser, LAST_TURN).click()
    assert re.search(r"Game 11: \d+ point", text(browser))
    assert "Ended after" in text(browser)
    words = "That was the last game"
    until(browser, lambda: words in one(browser, "[data-watch-words]").text)
