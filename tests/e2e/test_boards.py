"""Boards in a real browser: what moves while games are played, the lecture room, the front page."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from tests.support import boards
from tests.support.boards import BoardStory
from tests.support.browsing import SignIn, follow, leaving, one, prefer, until
from tests.support.looking import View, look
from tests.support.templates import copy_of
from webapp.grading.evaluations.models import Evaluation
from webapp.pages.leaderboards import views

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BOARD = "/courses/coop/assignments/hanabi/leaderboard/"
TURN_WITH_A_LATE_ANSWER = """
const ask = window.fetch;
window.fetch = async (query) => {
  window.fetch = ask;
  const text = await (await ask(query)).text();
  await new Promise((go) => { window.late = go; });
  return { ok: true, text: async () => text };
};
document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
"""
ANSWER_WITH_ANOTHER_PAGE = """
const ask = window.fetch;
window.asked = 0;
window.fetch = (query) => {
  window.asked += 1;
  return window.asked > 1 ? ask(query) : Promise.resolve(new Response("<h1>Sign in</h1>"));
};
"""


@pytest.fixture
def story(transactional_db: None) -> BoardStory:
    """A board of 50 teams, one of which is being played."""
    return copy_of(boards.tell, teams=50)


def texts(browser: Chrome, selector: str) -> list[str]:
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(each => each.textContent.trim())",
        selector,
    )
    return found


def test_a_student_reads_the_board_as_it_is_played(
    browser: Chrome, site: LiveServer, sign_in: SignIn, story: BoardStory
) -> None:
    sign_in(story.world.ada)
    address = site.url + BOARD
    assert look(browser, address, (View(1920, "dark"),)) == []
    assert one(browser, "#own-standing").text.startswith("You are 17th of 50")
    prefer(browser, forced_colors="active")
    # The table may be replaced while a row of it is looked at.
    until(browser, lambda: one(browser, "tr.own").value_of_css_property("outline-style") == "solid")
    segments = browser.find_elements(By.CSS_SELECTOR, ".board-tools .segments a")
    # Links change their colour over a moment, so they are read until they have settled.
    until(
        browser,
        lambda: len({each.value_of_css_property("background-color") for each in segments}) == 2,
    )
    Evaluation.objects.filter(status="playing").update(games_done=640)
    until(browser, lambda: any("playing 640 of" in text for text in texts(browser, ".playing")))

    one(browser, "[data-pause]").click()
    assert one(browser, "[data-pause]").text == "Resume updates"
    Evaluation.objects.filter(status="playing").update(games_done=700)
    one(browser, "[data-pause]").click()
    until(browser, lambda: any("playing 700 of" in text for text in texts(browser, ".playing")))

    follow(browser, By.LINK_TEXT, "Around you")
    assert len(texts(browser, "table.board tbody tr")) == 40
    with leaving(browser):
        one(browser, "#find").send_keys(story.own.alias, Keys.ENTER)
    assert len(texts(browser, "table.board tbody tr")) == 1
    follow(browser, By.CSS_SELECTOR, "table.board .who a")
    assert one(browser, "h1").text == story.own.alias
    assert one(browser, ".versions").is_displayed()


def test_the_lecture_room_screen_turns_pages_by_keys_and_stays_up_to_date(
    browser: Chrome, site: LiveServer, sign_in: SignIn, story: BoardStory
) -> None:
    sign_in(None)
    address = f"{site.url}{BOARD}screen/"
    assert look(browser, address, (View(1920, "light"),)) == []
    first = texts(browser, ".who a")
    assert len(first) == 12
    body = one(browser, "body")
    body.send_keys(Keys.ARROW_RIGHT)
    until(browser, lambda: texts(browser, ".who a") != first)
    body.send_keys(Keys.ARROW_LEFT)
    until(browser, lambda: texts(browser, ".who a") == first)
    body.send_keys(Keys.SPACE)
    until(browser, lambda: one(browser, "[data-act='pause']").text == "Resume")
    Evaluation.objects.filter(status="playing").update(games_done=777)
    until(browser, lambda: any("playing 777 of" in text for text in texts(browser, ".playing")))
    with leaving(browser):
        body.send_keys(Keys.ESCAPE)
    assert browser.current_url.startswith(site.url + BOARD + "?")


def test_a_late_answer_does_not_turn_the_lecture_room_screen_back(
    browser: Chrome, sign_in: SignIn, story: BoardStory
) -> None:
    sign_in(None, f"{BOARD}screen/")
    first = texts(browser, ".who a")
    browser.execute_script(TURN_WITH_A_LATE_ANSWER)
    until(browser, lambda: browser.execute_script("return Boolean(window.late)"))
    one(browser, "body").send_keys(Keys.ARROW_LEFT)
    until(browser, lambda: texts(browser, ".who a") != first)
    last = texts(browser, ".who a")
    browser.execute_async_script("late(); setTimeout(arguments[0])")
    assert texts(browser, ".who a") == last


def test_a_lecture_room_screen_outlasts_the_end_of_its_session(
    browser: Chrome, sign_in: SignIn, story: BoardStory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "SCREEN_SECONDS", 0.5)
    sign_in(None, f"{BOARD}screen/")
    one(browser, "body").send_keys(Keys.SPACE)  # pages do not turn
    browser.execute_script(ANSWER_WITH_ANOTHER_PAGE)
    until(browser, lambda: browser.execute_script("return window.asked > 1"))
    assert len(texts(browser, ".who a")) == 12


def test_a_visitor_watches_a_game_and_opens_a_board(
    browser: Chrome, site: LiveServer, sign_in: SignIn, story: BoardStory
) -> None:
    sign_in(None)
    assert look(browser, site.url + "/", (View(1920, "dark"),)) == []
    button = one(browser, ".stage-dock button")
    assert button.get_attribute("aria-label") == "Play"  # the browser asks for less motion
    before = one(browser, ".stage-dock .sentence").text
    button.click()
    until(browser, lambda: one(browser, ".stage-dock .sentence").text != before)
    button.click()
    assert button.get_attribute("aria-label") == "Play"
    follow(browser, By.LINK_TEXT, "Open this game")
    assert texts(browser, ".transport button")
    with leaving(browser):
        browser.back()
    follow(browser, By.LINK_TEXT, "All public boards and tournaments")
    follow(browser, By.LINK_TEXT, story.world.assignment.title)
    assert texts(browser, "h1") == ["Leaderboard"]
    assert texts(browser, ".board-tools .segments a") == ["Graded", "Practice"]


def test_a_students_front_page_leads_to_the_neighbours(
    browser: Chrome, site: LiveServer, sign_in: SignIn, story: BoardStory
) -> None:
    sign_in(story.world.ada)
    assert look(browser, site.url + "/", (View(1920, "light"),)) == []
    follow(browser, By.LINK_TEXT, "Whole leaderboard")
    assert texts(browser, "h1") == ["Leaderboard"]
