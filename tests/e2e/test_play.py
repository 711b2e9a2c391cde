"""A person plays in a real browser: chooses what is allowed, gets the agents' moves."""

from collections.abc import Callable

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.support import world as worlds
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.accounts.models import User
from webapp.playing.models import HumanGame

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SignIn = Callable[[User | None], None]
SECONDS = 20


@pytest.fixture
def world(site: LiveServer, transactional_db: None) -> World:
    """Ada and Ben, Ida's students."""
    return copy_of(worlds.make)


@pytest.fixture(autouse=True)
def _wide_window(browser: Chrome) -> None:
    metrics = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def until(browser: Chrome, test: Callable[[], object]) -> None:
    WebDriverWait(browser, SECONDS).until(lambda _: test())


def one(browser: Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def every(browser: Chrome, selector: str) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, selector)


def is_my_turn(browser: Chrome) -> bool:
    return browser.title.startswith("Your turn: ")


def begin(browser: Chrome, site: LiveServer, world: World) -> HumanGame:
    """Start a game as Ada does, on the assignment's page."""
    browser.get(f"{site.url}/courses/coop/assignments/hanabi/")
    browser.find_element(By.LINK_TEXT, "Play with agents").click()
    browser.find_element(By.XPATH, "//button[.='Deal the cards']").click()
    until(browser, lambda: is_my_turn(browser))
    return HumanGame.objects.get(person=world.ada)


def test_a_person_plays_cards_and_hints_and_the_agent_answers(
    browser: Chrome, site: LiveServer, world: World, sign_in: SignIn
) -> None:
    sign_in(world.ada)
    game = begin(browser, site, world)
    every(browser, ".hint-button:enabled")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: is_my_turn(browser))
    every(browser, ".own .slot button")[2].click()
    assert one(browser, ".choice p").text.startswith("Card 2.")
    assert browser.switch_to.active_element.text == "Play it"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(browser, lambda: is_my_turn(browser) and not every(browser, ".choice button"))
    game.refresh_from_db()
    assert game.notations[0].startswith("h1")
    assert game.notations[2] == "p2"
    assert game.turns == 4
    assert len(every(browser, ".move-list li")) == 5
