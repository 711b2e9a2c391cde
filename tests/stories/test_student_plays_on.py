"""A student opens a game of their agent, goes to a turn, and plays on from there to the end."""

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, every, follow, one, press, until
from tests.support.hearts_match import is_my_turn
from tests.support.looking import look, views_of
from tests.support.world import World
from webapp.contests.playing.models import GameStatus, HumanGame

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TURN = 9


def is_over(browser: Chrome) -> bool:
    return bool(every(browser, "#result"))


@pytest.mark.usefixtures("without_animation")
def test_a_student_plays_on_from_a_turn_of_a_finished_game(
    browser: Chrome, world: World, sign_in: SignIn
) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    practice = submission.evaluations.get(kind="practice")
    there = practice.results.get(index=0).record
    assert there is not None
    sign_in(world.ada, f"/evaluations/{practice.uuid}/games/0/")
    while one(browser, ".turn-field").get_attribute("value") != str(TURN):
        one(browser, "button[title='Forward one turn']").click()
    follow(browser, By.LINK_TEXT, "Play on from here")
    assert one(browser, "h1").text == f"Play on after turn {TURN}"
    wrong = look(browser, browser.current_url, views_of(0))
    press(browser, "Play on")

    game = HumanGame.objects.get(person=world.ada)
    began = there.actions.split()[: TURN + 1]
    while not is_over(browser):
        until(browser, lambda: is_my_turn(browser) or is_over(browser))
        if is_my_turn(browser):
            every(browser, ".own .slot button")[0].click()
            one(browser, ".choice .primary").click()

    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    assert list(game.notations[: len(began)]) == began
    assert "points" in one(browser, "#result").text
    assert f"You at turn {TURN + 1}: " in one(browser, ".result").text
    wrong += look(browser, browser.current_url, views_of(1))
    follow(browser, By.PARTIAL_LINK_TEXT, "game 0 of")
    assert one(browser, ".turn-field").get_attribute("value") == str(TURN)
    assert wrong == []
