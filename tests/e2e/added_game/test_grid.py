"""A game whose table is a grid is played by clicks and replayed, without a script of its own."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import world as worlds
from tests.support.browsing import SignIn, every, until
from tests.support.hearts_match import is_my_turn
from tests.support.looking import ALL_VIEWS, look, take_picture, views_of
from webapp.contests.playing.services import leave, start_game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_column_is_clicked_twice_and_the_replay_shows_the_disc(
    browser: Chrome, site: LiveServer, sign_in: SignIn, pytestconfig: pytest.Config
) -> None:
    world = worlds.make(game="connect_four", options={"players": 2})
    sign_in(world.ada)
    agents = ["house:connect_four/random_legal"]
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=agents)
    address = f"{site.url}/play/{game.uuid}/"
    browser.get(address)
    until(browser, lambda: is_my_turn(browser))
    assert len(every(browser, ".grid-cell .disc")) == 4
    chosen = every(browser, ".grid-cell .pick")[0].get_attribute("data-key")
    every(browser, ".grid-cell .pick")[0].click()
    pressed = every(browser, ".pick[aria-pressed='true']")
    assert len(pressed) == 6
    pressed[-1].click()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".grid-cell .disc")) == 6)
    game.refresh_from_db()
    assert chosen == f"cell {game.notations[0]}"
    assert len(every(browser, ".grid-cell.new")) == 1
    wrong = look(browser, address, ALL_VIEWS)
    picture(browser, pytestconfig, address, "table")
    leave(game=game, by=world.ada)
    wrong += look(browser, address, views_of(0))
    picture(browser, pytestconfig, f"{address}?turn=1", "replay")
    assert wrong == []


def picture(browser: Chrome, config: pytest.Config, address: str, name: str) -> None:
    if config.getoption("--screenshots"):
        for view in ALL_VIEWS:
            look(browser, address, [view])
            take_picture(browser, Path(f"var/screenshots/grid-{name}-{view}.png"))
