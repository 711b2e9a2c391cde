"""The viewer is on screen soon, with a game of seventy turns and more.

Timed within the page, from the request of its address to the frame after its first sentence. A busy
or slow machine takes longer for any page, so the time is compared with that of a page of text,
loaded by turns with it. On a quiet machine a game takes 0.15 to 0.3 s.
"""

from statistics import median
from typing import Final

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import world as worlds
from tests.support.browsing import SignIn, until
from tests.support.world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.alone,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

MOST_TIMES_TEXT: Final = 5.0
LOADS: Final = 7
"""Loads of each page: the first fills the browser's cache, the median of the others counts."""
TEXT: Final = "/guide/privacy/"
DRAWN: Final = """
new MutationObserver((_, observer) => {
    const isViewer = document.querySelector("#viewer");
    const last = document.querySelector(isViewer ? "#viewer .sentence" : "footer");
    if (last && last.textContent) {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.drawnMs = performance.now(); }));
    }
}).observe(document, {childList: true, subtree: true});
"""
"""Notes the time of the frame in which the viewer says its first sentence, or a page ends."""


def test_a_long_game_is_on_screen_soon_after_a_page_of_text_would_be(
    browser: Chrome, site: LiveServer, world: World, sign_in: SignIn
) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    practice = submission.evaluations.get(kind="practice")
    turns = {game.index: game.turns for game in practice.results.all()}
    index = max(turns, key=lambda index: turns[index])
    assert turns[index] >= 70
    sign_in(world.ada)
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": DRAWN})

    def drawn_ms(address: str) -> float:
        browser.get(site.url + address)
        until(browser, lambda: browser.execute_script("return window.drawnMs"))
        return float(browser.execute_script("return window.drawnMs"))

    game = f"/evaluations/{practice.uuid}/games/{index}/"
    pairs = [(drawn_ms(TEXT), drawn_ms(f"{game}?turn={turn}")) for turn in range(LOADS)][1:]
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    text, viewer = (median(times) for times in zip(*pairs, strict=True))
    print(f"on screen after {viewer:.0f} ms, a page of text after {text:.0f} ms: {pairs}")
    assert viewer < MOST_TIMES_TEXT * text, pairs
