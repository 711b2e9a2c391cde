"""Statistics on a submission's page in a real browser: the score strip, its games, and axe."""

from collections.abc import Callable

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.support import world as worlds
from tests.support.looking import ALL_VIEWS, View, look
from tests.support.processes import wait_until
from tests.support.world import World
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDE = View(1920, "light")


@pytest.fixture
def submission(world: World) -> Submission:
    """Ada's second; a fault ended its third practice game, and it prints."""
    worlds.submit_and_practise(world, world.ada, agent="outer")
    return worlds.submit_and_practise(world, world.ada, faults={2}, prints=range(12))


def test_the_strip_lists_and_opens_games(
    browser: Chrome,
    site: LiveServer,
    submission: Submission,
    world: World,
    sign_in: Callable[[User | None], None],
) -> None:
    sign_in(world.ada)
    page = f"{site.url}/submissions/{submission.pk}/"
    assert look(browser, page, [*ALL_VIEWS, WIDE]) == []
    browser.find_element(By.XPATH, "//summary[starts-with(., 'Charts')]").click()
    practice = submission.evaluations.get(kind="practice")
    choice = Select(browser.find_element(By.ID, f"scores-{practice.uuid}"))
    lowest, highest = choice.options[0], choice.options[-1]
    assert lowest.get_attribute("data-games") == "2"
    choice.select_by_value(str(highest.get_attribute("value")))
    strip = f"[data-strip]:has([id='strip-{practice.uuid}'])"
    chips = browser.find_elements(By.CSS_SELECTOR, f"{strip} .chips .chip")
    best = str(highest.get_attribute("data-games")).split(",")
    assert [chip.text for chip in chips] == best
    browser.execute_script(LIST_MANY_GAMES, choice.first_selected_option)
    listed = browser.find_element(By.CSS_SELECTOR, f"{strip} .chips")
    assert listed.text.endswith("and 3 more")
    assert len(listed.find_elements(By.CSS_SELECTOR, ".chip")) == 12
    fault = browser.find_element(By.CSS_SELECTOR, f"{strip} .strip-wide .pick")
    browser.execute_script(CLICK_THE_LOWEST_SQUARE, fault)
    address = f"{site.url}/evaluations/{practice.uuid}/games/2/"
    wait_until(lambda: browser.current_url == address, why="no game is opened")


CLICK_THE_LOWEST_SQUARE = """
const place = arguments[0].nextElementSibling, svg = place.ownerSVGElement;
const side = Number(svg.dataset.side) / 2;
const at = new DOMPoint(Number(place.dataset.left) + side, Number(place.dataset.floor) - side)
    .matrixTransform(svg.getScreenCTM());
arguments[0].dispatchEvent(
    new MouseEvent("click", { clientX: at.x, clientY: at.y, bubbles: true }));
"""
LIST_MANY_GAMES = """
arguments[0].dataset.games = [...Array(15).keys()].join(",");
arguments[0].parentElement.dispatchEvent(new Event("change", { bubbles: true }));
"""
