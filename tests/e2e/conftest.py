"""A real Chromium, and the site it looks at."""

from collections.abc import Iterator
from shutil import which

import pytest
from django.conf import settings
from django.test import override_settings
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from grader.core.games import GAMES
from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, text
from tests.support.fixtures import QUICK_HASHERS
from tests.support.pages import signed_in
from tests.support.processes import PATIENCE_SECONDS
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.base.celery import app
from webapp.people.accounts.models import User

# These tests need the package in deploy/games: test_added_games.py runs them with it.
collect_ignore = [] if "connect_four" in GAMES else ["added_game"]

CHROMIUM = "chromium-headless-shell"
"""The same engine without windows: it takes a third less processor time than ``chromium``."""
START = """#!/bin/sh
exec {} "$@" about:blank
"""
"""Without an address this Chromium opens no page, and its driver waits for one."""
DRIVER = "/usr/bin/chromedriver"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--js-flags=--single-threaded",  # a test process has one core
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Pictures are taken on demand only: ``pytest tests/e2e/test_look.py --screenshots``."""
    parser.addoption(
        "--screenshots", action="store_true", help="save a picture of every page in var/screenshots"
    )


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A headless Chromium with a profile of its own."""
    if which(CHROMIUM) is None:
        pytest.fail(f"These tests need {CHROMIUM} and chromium-driver.", pytrace=False)
    folder = tmp_path_factory.mktemp("chromium")
    start = folder / "start"
    start.write_text(START.format(CHROMIUM))
    start.chmod(0o755)
    options = ChromeOptions()
    options.binary_location = str(start)
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(PATIENCE_SECONDS)
    driver.set_script_timeout(PATIENCE_SECONDS)
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def _clean_window(request: pytest.FixtureRequest) -> Iterator[None]:
    """One browser serves all tests: no size, no page that asks for news, no line of a log stays."""
    yield
    if "browser" in request.fixturenames:
        window: Chrome = request.getfixturevalue("browser")
        window.get("about:blank")
        window.get_log("browser")  # reading it empties it: the next test finds what it caused
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(scope="package")
def _own_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A store of our own, plain static files, passwords that are hashed quickly, and no broker at
    all: batches stay in the database until a test plays them. Settled before the server loads its
    middleware."""
    places = tmp_path_factory.mktemp("site")
    (places / "static").mkdir()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        STORE_URL=str(places / "store"),
        STATIC_ROOT=places / "static",
        PASSWORD_HASHERS=QUICK_HASHERS,
        STORAGES={**settings.STORAGES, "staticfiles": plain},
    ):
        app.conf.broker_url = "redis://127.0.0.1:1/0"
        yield
    app.conf.broker_url = settings.BROKER_URL


@pytest.fixture(scope="package")
def site(_own_places: None, django_db_setup: None) -> Iterator[LiveServer]:
    """The site, served by a thread of this process. Tests that use it work without a transaction:
    ``django_db(transaction=True)``."""
    server = LiveServer("localhost")
    yield server
    server.stop()


@pytest.fixture
def world(site: LiveServer, transactional_db: None) -> World:
    """Ada and Ben, Ida's students."""
    return copy_of(worlds.make)


@pytest.fixture
def visit(browser: Chrome, site: LiveServer) -> Visit:
    """Open an address of the site and return the page's text."""

    def act(address: str) -> str:
        browser.get(site.url + address)
        return text(browser)

    return act


@pytest.fixture
def sign_in(browser: Chrome, site: LiveServer) -> SignIn:
    """Sign the browser in as a user; ``None`` as a visitor. Then open an address of the site."""

    def act(user: User | None, address: str = "", /) -> None:
        browser.get(f"{site.url}/static/img/favicon.svg")
        browser.delete_all_cookies()
        if user is not None:
            session = signed_in(user).cookies["sessionid"].value
            browser.add_cookie({"name": "sessionid", "value": session})
        if address:
            browser.get(site.url + address)

    return act
