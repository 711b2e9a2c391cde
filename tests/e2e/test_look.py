"""Every page in a real browser: axe finds nothing, nothing overflows, the CSP refuses nothing.

With ``--screenshots`` it also takes pictures, of a world with longer evaluations.
"""

from collections.abc import Callable
from datetime import timedelta
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import languages, opponents, tournaments
from tests.support import story as stories
from tests.support import world as worlds
from webapp.accounts.models import User
from webapp.courses.models import Assignment
from webapp.submissions.models import Submission

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

AXE = resources.files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PICTURES = Path("var/screenshots")


def show(browser: Chrome, *, width: int, scheme: str) -> None:
    """A window of this width, for a reader who prefers light or dark."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def violations(browser: Chrome) -> list[str]:
    """What axe objects to on the present page."""
    browser.execute_script(AXE)
    found: dict[str, Any] = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then(done);",
        RULES,
    )
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node['html'][:120]}"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]


def overflow(browser: Chrome) -> list[str]:
    """How far the page is wider than the window, if it is."""
    extra = browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return [f"{extra} px wider than the window"] if extra > 0 else []


def refusals(browser: Chrome) -> list[str]:
    """What the browser complained of: refused scripts and styles, errors in scripts."""
    return [
        entry["message"]
        for entry in browser.get_log("browser")
        if entry["level"] == "SEVERE" and " 404 " not in entry["message"]
        and " 403 " not in entry["message"]
    ]  # fmt: skip


def take_picture(browser: Chrome, path: Path) -> None:
    """The whole page, however long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height = browser.execute_script("return document.documentElement.scrollHeight")
    width = browser.execute_script("return innerWidth")
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.save_screenshot(str(path))


class Told(Protocol):
    """A world with something to be looked at."""

    def pages(self) -> list[tuple[str, User | None, str]]:
        """Name, reader and address of each page."""


STORIES: dict[str, Callable[[bool], Told]] = {
    "one game": lambda pictures: stories.tell(games=300 if pictures else 12),
    "several languages": lambda pictures: languages.tell(games=300 if pictures else 12),
    "a game against others": lambda pictures: opponents.tell(games=40 if pictures else 4),
    "tournaments": lambda pictures: tournaments.tell(rounds=12 if pictures else 4),
}
"""What is told with longer evaluations for pictures than for tests."""


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_every_page_is_accessible_and_fits(
    width: int,
    scheme: str,
    story: str,
    browser: Chrome,
    site: LiveServer,
    sign_in: Callable[[User | None], None],
    request: pytest.FixtureRequest,
) -> None:
    pictures = request.config.getoption("--screenshots", default=False)
    wrong: list[str] = []
    reader: User | str | None = "nobody yet"
    for name, user, address in STORIES[story](pictures).pages():
        if user != reader:
            sign_in(user)
            reader = user
        show(browser, width=width, scheme=scheme)
        browser.get(site.url + address)
        found = violations(browser) + overflow(browser) + refusals(browser)
        wrong += [f"{name}: {text}" for text in found]
        if pictures:
            take_picture(browser, PICTURES / f"{width}-{scheme}" / f"{name}.png")
    report = "\n".join(wrong)
    assert not wrong, report


@pytest.mark.parametrize("width", [1280, 375])
def test_the_page_before_the_secret_is_told_is_accessible_and_fits(
    width: int,
    browser: Chrome,
    site: LiveServer,
    sign_in: Callable[[User | None], None],
    request: pytest.FixtureRequest,
) -> None:
    now = timezone.now()
    world = worlds.make(opens_at=now - timedelta(days=9), due_at=now + timedelta(days=1))
    worlds.submit_and_practise(world, world.ada)
    Submission.objects.update(uploaded_at=now - timedelta(days=3))
    Assignment.objects.update(due_at=now - timedelta(days=2))
    sign_in(world.ida)
    show(browser, width=width, scheme="light")
    browser.get(f"{site.url}/courses/coop/assignments/hanabi/reveal/confirm/")
    assert "Reveal it for good" in browser.page_source
    wrong = violations(browser) + overflow(browser) + refusals(browser)
    if request.config.getoption("--screenshots", default=False):
        take_picture(browser, PICTURES / f"{width}-light" / "staff-reveal.png")
    report = "\n".join(wrong)
    assert not wrong, report
