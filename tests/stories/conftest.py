"""The browser and the site that people of these stories use: those of the tests in ``e2e``."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.e2e.conftest import (  # noqa: F401 - fixtures
    _clean_window,
    _own_places,
    browser,
    collect_ignore,
    sign_in,
    site,
    visit,
    world,
)
from tests.support.browsing import prefer

HURRY = """
const later = window.setTimeout;
window.setTimeout = (act, _, ...more) => later(act, 0, ...more);
"""


@pytest.fixture
def without_animation(browser: Chrome) -> Iterator[None]:  # noqa: F811 - the fixture
    """No pause between agents' moves, and nothing that moves: the rest is as people have it."""
    prefer(browser, prefers_reduced_motion="reduce")
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HURRY})
    yield
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
