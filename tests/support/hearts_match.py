"""A whole match of Hearts in a browser, as a person plays it: by clicking on cards."""

import re
from typing import Final

from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By

from tests.support.browsing import every, one, until

_HAND: Final = re.compile(r"Hand (\d+)")
_READ: Final = """
const words = (selector) => document.querySelector(selector)?.textContent ?? null;
return [words(".play .match"), words(".play .sentence")];
"""
"""What the table says, read at once; the page of the end has no table."""
_OFTEN: Final = 0.01
"""Seconds between looks: a match has some 130 waits."""


def is_my_turn(browser: Chrome) -> bool:
    """Return whether the page says in its title that the person is to act."""
    return browser.title.startswith("Your turn: ")


def is_over(browser: Chrome) -> bool:
    """Return whether the page of the end is there, with its replay."""
    return browser.title.startswith("Game with agents") and bool(every(browser, ".transport"))


def play_match(browser: Chrome) -> list[int]:
    """Play to the end; return the number of the hand at each of the person's turns."""
    hands: list[int] = []
    while True:
        until(browser, lambda: is_my_turn(browser) or is_over(browser), every_seconds=_OFTEN)
        match, sentence = browser.execute_script(_READ)
        if match is None:
            return hands
        found = _HAND.search(match)
        assert found is not None
        hands.append(int(found[1]))
        if "to pass" in sentence:
            pass_three(browser)
        else:
            play_card(browser)


def pass_three(browser: Chrome) -> None:
    """Choose three cards one after another, and pass them together."""
    for count in (1, 2, 3):
        every(browser, ".pick[aria-pressed='false']")[0].click()
        words = one(browser, ".choice p").text
        assert words.startswith(f"{count} of 3:"), words
    browser.find_element(By.XPATH, "//button[starts-with(., 'Pass 3 cards ')]").click()


def play_card(browser: Chrome) -> None:
    """Choose the last card that is allowed, and choose it again: two clicks at one place.

    It is the highest of its suit: who takes the most tricks ends the match soonest.
    """
    card = every(browser, ".pick")[-1]
    ActionChains(browser, duration=0).move_to_element(card).click().click().perform()
