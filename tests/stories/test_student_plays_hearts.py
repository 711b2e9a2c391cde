"""A student plays a match of Hearts with the agents that an assignment offers first."""

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, every, follow, one
from tests.support.hearts_match import play_match
from webapp.contests.playing.models import GameStatus, HumanGame

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.usefixtures("without_animation")
def test_a_student_plays_a_match_of_hearts_to_a_hundred_points(
    browser: Chrome, sign_in: SignIn
) -> None:
    world = worlds.make(game="hearts", options={"players": 4})
    sign_in(world.ada, "/courses/coop/assignments/hanabi/")
    follow(browser, By.LINK_TEXT, "Play with agents")
    follow(browser, By.XPATH, "//button[.='Start the game']")
    assert "100 points end the game" in one(browser, ".match").text

    hands = play_match(browser)

    game = HumanGame.objects.get(person=world.ada)
    assert game.status == GameStatus.FINISHED
    assert sorted(set(hands)) == list(range(1, hands[-1] + 1))
    assert max(int(cell.text) for cell in every(browser, ".totals .end td")) >= 100
    assert "point" in one(browser, "#result").text
