"""A person plays in a real browser: chooses what is allowed, gets the agents' moves."""

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

from grader.core.games import game_from_options, presented
from tests.support import world as worlds
from tests.support.browsing import SignIn, every, follow, leaving, one, press, resize, until
from tests.support.hearts_match import is_my_turn, pass_three, play_card
from tests.support.looking import View, look, views_of
from tests.support.pages import signed_in
from tests.support.world import World
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.services import leave, start_game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _wide_window(browser: Chrome) -> None:
    resize(browser, 1280)


MOVING = "return document.getAnimations().length"
"""The number of cards in flight: the text of a card that has not arrived may be unseen."""


def begin(browser: Chrome, sign_in: SignIn, world: World) -> HumanGame:
    sign_in(world.ada, "/courses/coop/assignments/hanabi/")
    follow(browser, By.LINK_TEXT, "Play with agents")
    follow(browser, By.XPATH, "//button[.='Start the game']")
    until(browser, lambda: is_my_turn(browser))
    return HumanGame.objects.get(person=world.ada)


def test_a_person_swaps_and_plays_cards_and_hints_and_the_agent_answers(
    browser: Chrome, world: World, sign_in: SignIn
) -> None:
    rules = game_from_options("hanabi", {"variant": "gcc", "players": 2})
    world.assignment.options = dict(rules.options)
    world.assignment.save()
    game = begin(browser, sign_in, world)
    every(browser, ".own .slot button")[0].click()
    browser.find_element(By.XPATH, "//button[.='Swap with card 5']").click()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 2)
    every(browser, ".hint-button:enabled")[0].click()
    assert every(browser, ".hand:not(.own) .slot.touched")
    one(browser, ".choice .primary").click()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 4)
    every(browser, ".own .slot button")[2].click()
    assert one(browser, ".choice p").text.startswith("Card 3 may be")
    assert browser.switch_to.active_element.text == "Play it"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 6)
    game.refresh_from_db()
    assert game.notations[0] == "s04"
    assert game.notations[1].startswith("h1")
    assert game.notations[3] == "p2"
    assert game.turns == 5


@pytest.mark.parametrize(
    ("game", "players", "agent"),
    [("hanabi", 3, "house:piers"), ("hearts", 4, "house:hearts/careful")],
)
def test_seats_table_and_end_are_accessible_and_fit(
    game: str, players: int, agent: str, browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    world = worlds.make(game=game, options={"players": players})
    sign_in(world.ada)
    begun = start_game(
        assignment=world.assignment, by=world.ada, seat=1, agents=[agent] * (players - 1)
    )
    table = f"{site.url}/play/{begun.uuid}/"
    seats = f"{site.url}/courses/coop/assignments/hanabi/play/"
    wrong = look(browser, seats, views_of(0)) + look(browser, table, views_of(1))
    until(browser, lambda: is_my_turn(browser))
    leave(game=begun, by=world.ada)
    wrong += look(browser, table, views_of(0))
    assert wrong == []


def test_hearts_is_played_by_choosing_a_card_twice(
    browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    world = worlds.make(game="hearts", options={"players": 4, "passing": "none"})
    sign_in(world.ada)
    agents = ["house:hearts/careful"] * 3
    game = start_game(assignment=world.assignment, by=world.ada, seat=1, agents=agents)
    browser.get(f"{site.url}/play/{game.uuid}/")
    for turn in range(2):
        until(browser, lambda: is_my_turn(browser))
        every(browser, ".pick")[0].click()
        every(browser, ".pick[aria-pressed='true']")[0].click()
        until(browser, lambda turn=turn: own_moves(game) == turn + 1)


def begin_hearts(browser: Chrome, sign_in: SignIn) -> HumanGame:
    """Open Ada's table of Hearts, at which she passes first."""
    world = worlds.make(game="hearts", options={"players": 4})
    agents = ["house:hearts/careful"] * 3
    game = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=agents)
    sign_in(world.ada, f"/play/{game.uuid}/")
    until(browser, lambda: is_my_turn(browser))
    return game


def rows(browser: Chrome) -> list[str]:
    return [deed.text for deed in every(browser, ".move-list .deed")]


def test_three_cards_are_chosen_and_passed_as_one_step(browser: Chrome, sign_in: SignIn) -> None:
    game = begin_hearts(browser, sign_in)
    every(browser, ".pick")[0].click()
    every(browser, ".pick")[1].click()
    assert one(browser, ".choice p").text.startswith("2 of 3:")
    every(browser, ".pick[aria-pressed='true']")[0].click()
    assert one(browser, ".choice p").text.startswith("1 of 3:")
    every(browser, ".pick[aria-pressed='true']")[0].click()
    assert not every(browser, ".choice p")
    pass_three(browser)
    until(browser, lambda: is_my_turn(browser))
    game.refresh_from_db()
    assert {notation[0] for notation in game.notations[:12]} == {"p"}
    first, own, others, lead, *_ = rows(browser)
    assert first == "the deal"
    assert own.startswith("passes")
    assert others == "others pass 9 cards"
    assert lead.startswith("leads ")
    every(browser, ".move-list a")[1].click()
    assert one(browser, ".last-move").text == "You pass your cards left."


def test_the_list_of_moves_never_runs_ahead_of_the_board(browser: Chrome, sign_in: SignIn) -> None:
    begin_hearts(browser, sign_in)
    pass_three(browser)
    until(browser, lambda: is_my_turn(browser))
    seen = "return [document.title, document.querySelectorAll('.move-list [data-future]').length]"
    for _ in range(2):
        play_card(browser)
        while not (now := browser.execute_script(seen))[0].startswith("Your turn: "):
            assert now[1] == 0


def test_on_a_phone_the_trick_and_ones_own_hand_are_in_sight_together(
    browser: Chrome, sign_in: SignIn
) -> None:
    resize(browser, 375, 667, mobile=True)
    begin_hearts(browser, sign_in)
    pass_three(browser)
    until(browser, lambda: is_my_turn(browser))
    trick, fan, bar = (one(browser, each).rect for each in (".trick", ".south .fan", ".play-bar"))
    scrolled = browser.execute_script("return scrollY")
    assert trick["y"] >= scrolled
    assert trick["y"] + trick["height"] <= fan["y"] + fan["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= scrolled + 667


def test_a_table_of_hearts_tells_hand_and_totals(browser: Chrome, sign_in: SignIn) -> None:
    begin_hearts(browser, sign_in)
    assert one(browser, ".match").text == "Hand 1 · 100 points end the game"
    for seat in every(browser, ".seat header"):
        assert "0 in total" in seat.text
        assert "0 in hand 1" in seat.text


def own_moves(game: HumanGame, *, seat: int = 1) -> int:
    game.refresh_from_db()
    rules = game.rules
    scenes = presented(rules).scenes(game.seed, map(rules.parse, game.notations))
    return sum(scene["seat"] == seat for scene in scenes)


def test_the_table_says_when_it_cannot_reach_the_site_and_continues(
    browser: Chrome, world: World, sign_in: SignIn
) -> None:
    game = begin(browser, sign_in, world)
    browser.execute_script("window.kept = fetch; fetch = () => Promise.reject(new Error('away'))")
    every(browser, ".own .slot button")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: "Reconnecting" in one(browser, ".sentence").text)
    browser.execute_script("fetch = window.kept")
    until(browser, lambda: "Your turn." in one(browser, ".sentence").text)
    every(browser, ".own .slot button")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: HumanGame.objects.get(pk=game.pk).turns == 2)


def test_a_game_that_a_fault_has_ended_opens_at_the_fault(
    browser: Chrome, world: World, sign_in: SignIn
) -> None:
    game = begin(browser, sign_in, world)
    fault = {"seat": 1, "kind": "crash", "turn": 0, "detail": "ended during the game"}
    game.advance(GameStatus.FAULTED, ended_at=timezone.now(), fault=fault)
    every(browser, ".own .slot button")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: every(browser, "#result"))
    until(browser, lambda: "Seat 2 fails" in one(browser, ".dock .sentence").text)


def test_the_table_takes_moves_after_signing_in_again_elsewhere(
    browser: Chrome, world: World, sign_in: SignIn
) -> None:
    game = begin(browser, sign_in, world)
    client = signed_in(world.ada)
    browser.add_cookie({"name": "sessionid", "value": client.cookies["sessionid"].value})
    browser.add_cookie({"name": "csrftoken", "value": "a" * 32})
    every(browser, ".own .slot button")[0].click()
    with leaving(browser):
        one(browser, ".choice .primary").click()
    until(browser, lambda: is_my_turn(browser))
    every(browser, ".own .slot button")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: HumanGame.objects.get(pk=game.pk).turns == 2)


def test_a_visitor_plays_without_an_account(
    browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    sign_in(None)
    browser.get(site.url)
    follow(browser, By.LINK_TEXT, "Play a game against our agents")
    follow(browser, By.XPATH, "//button[.='Play Hanabi']")
    assert look(browser, browser.current_url, [View(375, "dark")]) == []
    until(browser, lambda: is_my_turn(browser))
    every(browser, ".own .slot button")[0].click()
    one(browser, ".choice .primary").click()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 3)
    follow(browser, By.LINK_TEXT, "Leave the game…")
    follow(browser, By.LINK_TEXT, "Cancel")
    until(browser, lambda: is_my_turn(browser))
    follow(browser, By.LINK_TEXT, "Leave the game…")
    press(browser, "Leave the game")
    until(browser, lambda: every(browser, "#result") and every(browser, ".transport button"))
    assert not every(browser, ".face.back")


def test_a_table_is_played_by_keys(browser: Chrome, world: World, sign_in: SignIn) -> None:
    game = begin(browser, sign_in, world)
    keys = ActionChains(browser)
    keys.send_keys("?").perform()
    assert "choose, from the left" in one(browser, ".keys").text
    keys.reset_actions()
    keys.send_keys("2", Keys.ARROW_RIGHT, Keys.ENTER).perform()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 3)
    keys.reset_actions()
    keys.send_keys("h", Keys.ENTER, Keys.ENTER).perform()
    until(browser, lambda: is_my_turn(browser) and len(every(browser, ".move-list li")) == 5)
    game.refresh_from_db()
    assert game.notations[0] == "p2"
    assert game.notations[2].startswith("h1")


def test_a_person_looks_back_and_returns(browser: Chrome, sign_in: SignIn) -> None:
    begin_hearts(browser, sign_in)
    pass_three(browser)
    until(browser, lambda: is_my_turn(browser) and not browser.execute_script(MOVING))
    shown = one(browser, ".trick").text
    every(browser, ".move-list a")[0].click()
    assert one(browser, ".sentence").text == "Looking back. It is still your turn."
    assert not every(browser, ".pick")
    until(browser, lambda: one(browser, ".trick").text == "")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    assert one(browser, ".last-move").text == "You pass your cards left."
    browser.find_element(By.XPATH, "//button[.='Return to now']").click()
    assert one(browser, ".trick").text == shown
    assert every(browser, ".pick")


def test_one_click_or_a_drag_plays_a_card_where_the_setting_says_so(
    browser: Chrome, sign_in: SignIn
) -> None:
    game = begin_hearts(browser, sign_in)
    pass_three(browser)
    until(browser, lambda: is_my_turn(browser))
    every(browser, ".pick")[-1].click()
    assert every(browser, ".choice .primary")
    one(browser, "#quick").click()
    browser.refresh()
    until(browser, lambda: is_my_turn(browser))
    every(browser, ".pick")[-1].click()
    until(browser, lambda: is_my_turn(browser) and own_moves(game, seat=0) == 4)
    home, table = one(browser, ".south header"), one(browser, ".match")
    for place, moves in ((home, 4), (table, 5)):
        ActionChains(browser).drag_and_drop(every(browser, ".pick")[-1], place).perform()
        until(browser, lambda n=moves: is_my_turn(browser) and own_moves(game, seat=0) == n)
    one(browser, "#quick").click()
