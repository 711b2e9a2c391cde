"""A game's page on a laptop: board, sentence, play button and slider are seen without scrolling."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import opponents
from tests.support import world as worlds
from tests.support.browsing import SignIn, one, resize, until
from tests.support.templates import copy_of
from tests.support.world import World

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 720), (1366, 768), (1440, 900), (1536, 864))
PARTS = (".stage > .board", ".sentence", ".transport .primary", ".track input")
BOTTOM = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"


def for_players(count: int) -> World:
    """Ada's practice of Hanabi at tables of so many seats, of which the second game is at fault."""
    world = worlds.make(options={"variant": "standard", "players": count}, games=2)
    worlds.submit_and_practise(world, world.ada, faults={1}, prints={0})
    return world


def address_of(table: str) -> tuple[World, str]:
    """A world, and the address of its games of a table without the games' numbers."""
    if table == "hearts":
        told = copy_of(opponents.tell, games=4)
        return told.world, f"/evaluations/{told.practice.uuid}/games/"
    world = copy_of(for_players, count=int(table))
    practice = world.assignment.teams.get().submissions.get().evaluations.get(kind="practice")
    return world, f"/evaluations/{practice.uuid}/games/"


@pytest.mark.parametrize("table", ["2", "3", "4", "5", "hearts"])
def test_board_sentence_play_button_and_slider_are_seen_without_scrolling(
    table: str, browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    world, address = address_of(table)
    sign_in(world.ada)
    too_low = []
    for page in ("0/", "0/?turn=20&as=0", "1/", "0/?watch=1"):
        for width, height in SIZES:
            resize(browser, width, height)
            browser.get(site.url + address + page)
            until(browser, lambda: one(browser, ".sentence").text)
            bottoms = {part: round(browser.execute_script(BOTTOM, part)) for part in PARTS}
            wrong = {part: bottom for part, bottom in bottoms.items() if bottom > height}
            if wrong:
                too_low.append(f"{page} at {width} × {height}: {wrong}")
    report = "\n".join(too_low)
    assert not too_low, report
