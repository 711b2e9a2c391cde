"""The output of an agent, from its sandbox to the viewer, and the statistics of its games."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world
from tests.support.depth import deeper
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from tests.support.world import SOURCE

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

TALKS = SOURCE.replace(
    b"        return", b"        print('at turn', observation.turn)\n        return"
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("deployment")
def test_an_agents_output_is_shown_beside_its_turn(browser: Chrome, site: LiveServer) -> None:
    people = world.make(games=1, practice_games=3)
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)
    visitor.signs_in(people.ada.email, world.PASSWORD)
    submission = world.upload(people, people.ada, data=TALKS)
    visitor.goes_to(f"/submissions/{submission.pk}/")
    computed = submission.evaluations.filter(kind="practice", insights__isnull=False)
    # In ``make test-deep`` the statistics of a thousand games may be computed first.
    wait_until(computed.exists, seconds=deeper(300, deep=600), why="no statistics were computed")
    visitor.sees("Points lost by turn")
    visitor.sees("What it printed")
    visitor.goes_to(f"/evaluations/{computed.get().uuid}/games/2/?turn=1")
    printed = "document.querySelector('.printed pre')?.textContent"
    wait_until(
        lambda: browser.execute_script(f"return {printed}") == "at turn 1\n",
        why="the turn's output is not shown",
    )
    assert "Seat 2 printed" in browser.find_element(By.CSS_SELECTOR, ".printed").text
