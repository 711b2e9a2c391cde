"""A person plays a whole game with their own agent, in a sandbox of a real grader, which dies."""

import pytest
from selenium.webdriver import Chrome

from grader import house
from tests.e2e.test_play import begin, every, is_my_turn, one, until
from tests.support import world as worlds
from tests.support.browsing import SignIn
from tests.support.deployment import Deployment
from tests.support.processes import wait_until
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.grading.submissions.models import Submission, SubmissionStatus

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]


def is_over(browser: Chrome) -> bool:
    return bool(every(browser, "#result"))


def play_first_card(browser: Chrome) -> None:
    until(browser, lambda: is_my_turn(browser) or is_over(browser))
    if not is_over(browser):
        every(browser, ".own .slot button")[0].click()
        one(browser, ".choice .primary").click()


def answered(game: HumanGame) -> int:
    game.refresh_from_db()
    return sum(charged is not None for charged in game.charged_us)


@pytest.mark.django_db(transaction=True)
def test_a_game_with_ones_own_agent_outlives_its_grader(
    deployment: Deployment, browser: Chrome, sign_in: SignIn
) -> None:
    world = worlds.make(practice_games=1, smoke_games=1)
    worlds.upload(world, world.ada, filename="a.zip", data=house.bundle("piers"))
    ready = Submission.objects.filter(status=SubmissionStatus.READY)
    wait_until(ready.exists, why="the smoke test did not finish")
    browser.set_window_size(1280, 900)

    game = begin(browser, sign_in, world)
    assert game.others[0].agent is not None
    play_first_card(browser)
    wait_until(lambda: answered(game) == 1, why="the agent did not answer")

    deployment.smoke.kill()
    play_first_card(browser)
    until(browser, lambda: "Seat 2 is thinking." in one(browser, ".sentence").text)
    deployment.smoke.start()
    wait_until(lambda: answered(game) == 2, why="the game did not go on")

    for _ in range(60):
        play_first_card(browser)
        if is_over(browser):
            break
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    assert game.differs_at is None
    assert not every(browser, ".face.back")
    assert "points" in one(browser, "#result").text
