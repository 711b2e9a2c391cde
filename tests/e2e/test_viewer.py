"""The viewer in a real browser: stepping, playing, links to turns, keys, what a seat sees."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from grader.core.games.hanabi import Hanabi
from grader.core.games.hanabi.presentation import PRESENTATION
from grader.core.games.outcomes import value_words
from grader.core.games.presentation import Presentation
from grader.results.replay import render
from grader.viewer import Seat, files, viewed
from grader.viewer.page import standalone
from tests.support import opponents
from tests.support import world as worlds
from tests.support.browsing import SignIn, every, follow, one, prefer, resize, until
from tests.support.looking import View, look
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation

OpenGame = Callable[..., None]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def practice(world: World, sign_in: SignIn) -> Evaluation:
    """Ada's, of which the second game ended with a fault; she is signed in."""
    submission = worlds.submit_and_practise(world, world.ada, faults={1})
    sign_in(world.ada)
    return submission.evaluations.get(kind="practice")


@pytest.fixture(autouse=True)
def _wide_window(browser: Chrome) -> None:
    resize(browser, 1280)


@pytest.fixture
def visit(browser: Chrome, site: LiveServer, practice: Evaluation) -> Callable[..., None]:
    """Opens one of its games."""

    def go(index: int = 0, query: str = "") -> None:
        browser.get(f"{site.url}/evaluations/{practice.uuid}/games/{index}/{query}")
        until(browser, lambda: sentence(browser))

    return go


def is_in_sight(browser: Chrome, box: str, row: str) -> bool:
    script = """
    const box = document.querySelector(arguments[0]);
    const [around, inner] = [box, box.querySelector(arguments[1])].map(
        (each) => each.getBoundingClientRect());
    return around.top <= inner.top && inner.bottom <= around.bottom + 1;
    """
    return bool(browser.execute_script(script, box, row))


def sentence(browser: Chrome) -> str:
    return one(browser, ".sentence").text


def press(browser: Chrome, words: str) -> None:
    one(browser, f"#viewer button[aria-label='{words}']").click()


def keys(browser: Chrome, *pressed: str) -> None:
    browser.switch_to.active_element.send_keys(*pressed)


def current_move(browser: Chrome) -> str:
    return one(browser, ".move-list a[aria-current]").text.split("\n")[0]


def test_buttons_step_through_the_game_and_only_the_turn_that_is_shown_is_drawn(
    browser: Chrome, visit: OpenGame
) -> None:
    visit()
    assert sentence(browser) == "The deal"
    press(browser, "Forward one turn")
    assert sentence(browser).startswith("Turn 0 Seat 1 ")
    assert current_move(browser).startswith("0")
    press(browser, "Last turn")
    assert sentence(browser).endswith(". +1 point, deck ran out")
    assert not one(browser, "button[aria-label='Forward one turn']").is_enabled()
    press(browser, "First turn")
    assert sentence(browser) == "The deal"
    # All turns' boards at once would be about seventy times as many elements.
    visit(0)
    assert len(every(browser, ".move-list a")) > 60
    elements = [len(every(browser, "#viewer *")) - len(every(browser, "#viewer .move-list *"))]
    press(browser, "Last turn")
    elements += [len(every(browser, "#viewer *")) - len(every(browser, "#viewer .move-list *"))]
    assert max(elements) < 1500


def test_a_link_leads_to_a_turn_as_a_seat_sees_it(browser: Chrome, visit: OpenGame) -> None:
    visit(0, "?turn=12&as=1")
    assert sentence(browser).startswith("Turn 12 ")
    assert one(browser, ".segments [aria-pressed='true']").text == "2"
    own, other = (every(browser, f".hand[aria-label='Seat {seat}'] .face.back") for seat in (2, 1))
    assert len(own) == 5
    assert other == []


def test_the_address_follows_what_is_looked_at(browser: Chrome, visit: OpenGame) -> None:
    visit(0, "?turn=3")
    keys(browser, Keys.ARROW_RIGHT)
    assert sentence(browser).startswith("Turn 4 ")
    until(browser, lambda: browser.current_url.endswith("?turn=4"))
    one(browser, ".segments button:nth-child(2)").click()
    until(browser, lambda: browser.current_url.endswith("?turn=4&as=0"))
    keys(browser, "a")
    until(browser, lambda: browser.current_url.endswith("?turn=4"))


def test_keys_play_and_pause_and_jump(browser: Chrome, visit: OpenGame) -> None:
    visit()
    keys(browser, Keys.SPACE)
    until(browser, lambda: re.match(r"Turn [1-9]", sentence(browser)))
    keys(browser, Keys.SPACE)
    assert one(browser, ".transport .primary").get_attribute("aria-label") == "Play"
    keys(browser, Keys.END)
    last = sentence(browser)
    keys(browser, Keys.HOME)
    assert sentence(browser) == "The deal"
    keys(browser, "m")
    marked = every(browser, ".effect.warn, .effect.bad")
    assert marked or sentence(browser) in {"The deal", last}
    keys(browser, "2")
    assert one(browser, ".segments [aria-pressed='true']").text == "2"


def test_play_is_within_five_stops_and_keys_work_inside_the_viewer_alone(
    browser: Chrome, visit: OpenGame
) -> None:
    visit(0, "?turn=3")
    one(browser, "header a").send_keys("1", Keys.ARROW_LEFT)
    assert one(browser, ".segments [aria-pressed='true']").text == "All cards"
    assert sentence(browser).startswith("Turn 3 ")
    visit(query="?turn=3")
    stops = []
    while "Play" not in stops and len(stops) < 5:
        keys(browser, Keys.TAB)
        stops.append(browser.switch_to.active_element.get_attribute("aria-label") or "")
    assert stops[-1] == "Play"
    press(browser, "Last turn")
    keys(browser, Keys.HOME)
    assert sentence(browser) == "The deal"


def test_arrows_lead_from_card_to_card(browser: Chrome, visit: OpenGame) -> None:
    visit(0, "?turn=3")

    def hand_and_card() -> tuple[int, int]:
        script = """
        const slot = document.activeElement.closest(".slot");
        const index = (each) => [...each.parentElement.children].indexOf(each);
        return [index(slot.closest(".hand")), index(slot)];
        """
        hand, card = browser.execute_script(script)
        return hand, card

    keys(browser, Keys.TAB)
    at = [hand_and_card()]
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP):
        keys(browser, key)
        at.append(hand_and_card())
    assert at == [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]
    keys(browser, Keys.ARROW_RIGHT, "2")
    assert one(browser, ".segments [aria-pressed='true']").text == "2"
    assert hand_and_card() == (0, 1)  # although the card has been drawn anew


def test_the_slider_says_where_it_is(browser: Chrome, visit: OpenGame) -> None:
    visit(0, "?turn=3")
    slider = one(browser, ".track input")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert sentence(browser).startswith("Turn 4 ")
    words = slider.get_attribute("aria-valuetext") or ""
    last = one(browser, ".turn-field").get_attribute("max")
    assert words.startswith(f"Turn 4 of {last}: Seat ")
    assert re.search(r" \d+ points?$", words)
    spoken = one(browser, "[aria-live='polite']")
    until(browser, lambda: spoken.get_attribute("textContent") == words)


def test_a_move_in_the_list_or_a_typed_turn_is_gone_to(browser: Chrome, visit: OpenGame) -> None:
    visit()
    every(browser, ".move-list a")[6].click()
    assert sentence(browser).startswith("Turn 5 ")
    assert browser.current_url.count("/games/0/") == 1

    field = one(browser, ".turn-field")
    for typed, turn in (("12", 12), ("-4", 0), ("9999", int(field.get_attribute("max") or ""))):
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(typed, Keys.ENTER)
        assert sentence(browser).startswith(f"Turn {turn} ")
        assert field.get_attribute("value") == str(turn)


def test_a_card_tells_its_story_to_keyboard_users_too(browser: Chrome, visit: OpenGame) -> None:
    visit(0, "?turn=8")
    one(browser, ".hand .slot button").click()
    assert "in the hand of seat 1, since" in one(browser, ".story").text
    visit(query="?turn=8")
    keys(browser, Keys.TAB)
    assert "in the hand of seat 1, since" in one(browser, ".story").text


FLIERS = """
const viewer = document.getElementById("viewer").viewer;
const leaves = (at) => ["play", "discard"].includes(viewer.main.frames[at]?.move?.type);
viewer.show(viewer.main.frames.findIndex((_, at) => leaves(at) && at > 2) - 1, { still: true });
document.querySelector("button[aria-label='Forward one turn']").click();
return document.querySelectorAll(".flying .face .rank").length;
"""


@pytest.mark.parametrize(("motion", "cards"), [("no-preference", 1), ("reduce", 0)])
def test_a_card_flies_to_where_it_goes_unless_less_motion_is_wanted(
    motion: str, cards: int, browser: Chrome, visit: OpenGame
) -> None:
    prefer(browser, prefers_reduced_motion=motion)
    visit()
    assert browser.execute_script(FLIERS) == cards
    until(browser, lambda: not every(browser, ".flying"))


def test_cards_do_not_fly_while_the_slider_is_dragged_and_a_link_unfolds_the_text(
    browser: Chrome, visit: OpenGame
) -> None:
    visit()
    moving = """
    const slider = document.querySelector(".track input");
    return [...Array(10).keys()].map((at) => {
      slider.value = at;
      slider.dispatchEvent(new Event("input"));
      return document.querySelectorAll(".moving, .flying").length;
    });
    """
    assert browser.execute_script(moving) == [0] * 10
    text = one(browser, "#text")
    assert text.get_attribute("open") is None
    browser.find_element(By.LINK_TEXT, "As text").click()
    assert text.get_attribute("open") is not None


def test_a_game_that_a_fault_ended_opens_at_the_fault(browser: Chrome, visit: OpenGame) -> None:
    visit(1)
    assert "fails and ends the game: crash" in sentence(browser)
    box = one(browser, ".printed pre")
    assert "KeyError" in box.text
    assert box.value_of_css_property("white-space-collapse") == "preserve"
    assert box.value_of_css_property("text-wrap-mode") == "nowrap"
    height, line = (
        float(box.value_of_css_property(name).removesuffix("px"))
        for name in ("max-block-size", "line-height")
    )
    assert height >= 16 * line
    assert is_in_sight(browser, ".move-list", "[aria-current]")
    assert every(browser, ".track.at-fault .mark.fault")
    press(browser, "Back one turn")
    assert "Nothing was printed in this turn." in one(browser, ".printed").text


def test_a_hand_of_hearts_is_chosen_and_its_tricks_listed(
    browser: Chrome, site: LiveServer, sign_in: SignIn
) -> None:
    table = copy_of(opponents.tell, games=4)
    sign_in(table.world.ada)
    resize(browser, 1920)
    browser.get(f"{site.url}/evaluations/{table.grade.uuid}/games/5/?turn=20")
    assert one(browser, ".trick-list [data-current] th").text.endswith("3")
    assert len(every(browser, ".trick .playing-card")) == 1
    assert is_in_sight(browser, ".side-more .move-list", "[aria-current]")
    moves = every(browser, ".side-more .move-list a")
    assert len(moves) == 13 * 4 + 12 + 1
    assert "passes" in (moves[1].get_attribute("textContent") or "")
    assert (moves[1].get_attribute("textContent") or "").endswith(" ms charged")
    every(browser, ".part")[1].click()
    assert (sentence(browser), len(every(browser, ".playing-card"))) == ("Hand 2, the deal", 52)
    assert one(browser, ".side h2").text == "Tricks of hand 2"
    press(browser, "Next trick that costs points, or fault")
    assert "point" in one(browser, ".effect").text
    assert every(browser, ".trick .takes")
    fliers = """
    document.querySelector("button[aria-label='Forward one turn']").click();
    return document.querySelectorAll(".flying .playing-card").length;
    """
    assert browser.execute_script(fliers) == 4
    until(browser, lambda: not every(browser, ".flying"))


@pytest.mark.parametrize("number", [0, 1])
def test_a_turn_in_the_middle_is_accessible_and_fits(
    number: int, browser: Chrome, site: LiveServer, practice: Evaluation
) -> None:
    views = [(View(375, "light"), View(1280, "dark")), (View(375, "dark"), View(1920, "light"))]
    address = f"{site.url}/evaluations/{practice.uuid}/games/0/?turn=20&as=0"
    assert look(browser, address, views[number]) == []


def test_in_forced_colours_lines_tell_what_backgrounds_told(
    browser: Chrome, visit: OpenGame
) -> None:
    prefer(browser, forced_colors="active")
    visit(0, "?turn=20")

    def style(selector: str, name: str) -> str:
        return one(browser, selector).value_of_css_property(name)

    for shown, other, name in (
        (".segments [aria-pressed='true']", ".segments [aria-pressed='false']", "background-color"),
        (".move-list a[aria-current]", ".move-list a", "outline-style"),
        (".token", ".token.spent", "background-color"),
        (".copy.fate-d", ".copy.fate-l, .copy:not([class*='fate'])", "background-color"),
    ):
        assert style(shown, name) != style(other, name), shown
    drawn = browser.execute_script(
        "return [...document.querySelectorAll('.face')].map(face => ["
        "face.querySelector('.letter').textContent, face.querySelector('.shape').innerHTML])"
    )
    letters, shapes = (set(column) for column in zip(*drawn, strict=True))
    assert len(letters) == len(shapes) == len(set(map(tuple, drawn))) > 2
    faces = {each.value_of_css_property("background-color") for each in every(browser, ".face")}
    assert len(faces) == 1
    assert style(".face", "border-top-color") not in faces


def test_two_games_are_stepped_together(browser: Chrome, world: World, sign_in: SignIn) -> None:
    submissions = [
        worlds.submit_and_practise(world, world.ada, agent=agent, prints={2})
        for agent in ("iggi", "outer")
    ]
    older, newer = (each.evaluations.get(kind="practice") for each in submissions)
    sign_in(world.ada, f"/evaluations/{newer.uuid}/games/2/")
    follow(browser, By.XPATH, "//button[.='Show side by side']")
    until(browser, lambda: len(every(browser, ".pane")) == 2)
    assert f"/beside/{older.uuid}/" in browser.current_url
    press(browser, "Next different turn")
    left, right = (each.text for each in every(browser, ".pane-line"))
    assert left.split(" ")[:2] == right.split(" ")[:2]
    assert left != right
    turn = left.split(" ")[1]
    assert every(browser, ".pair-list a[aria-current]")
    printed = [each.text for each in every(browser, ".pair-printed pre")]
    assert printed == [f"thinking about turn {turn} <script>"] * 2
    until(browser, lambda: browser.current_url.endswith(f"turn={turn}"))
    views = (View(1280, "light"), View(375, "dark"))
    assert look(browser, browser.current_url, views) == []
    assert len([each for each in every(browser, ".pane") if each.is_displayed()]) == 1


def test_beside_another_game_points_ahead_are_in_the_games_unit(
    browser: Chrome, world: World, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hanabi, "unit", Fraction(1, 240))
    submissions = [
        worlds.submit_and_practise(world, world.ada, agent=agent) for agent in ("iggi", "outer")
    ]
    older, newer = (each.evaluations.get(kind="practice") for each in submissions)
    pairs = zip(older.results.order_by("index"), newer.results.order_by("index"), strict=True)
    one_game, other = next((one, two) for one, two in pairs if one.score != two.score)
    sign_in(world.ada, f"/evaluations/{newer.uuid}/games/{other.index}/beside/{older.uuid}/")
    until(browser, lambda: len(every(browser, ".pane")) == 2)
    press(browser, "Last turn")
    ahead = f"+ ahead by {value_words(Hanabi, abs(one_game.score - other.score))}"
    until(browser, lambda: sorted(each.text for each in every(browser, ".ahead")) == ["", ahead])


def test_a_game_in_a_file_of_its_own_is_stepped_without_a_site(
    browser: Chrome, practice: Evaluation, tmp_path: Path
) -> None:
    record = practice.results.get(index=0).record
    assert record is not None
    data = viewed(record, seats=[Seat(name="")] * 2)
    file = tmp_path / "game.html"
    file.write_text(standalone(data, title="A game", text=render(record)))
    views = (View(1280, "light"), View(375, "dark"))
    assert look(browser, f"{file.as_uri()}#turn=7&as=1", views) == []
    assert sentence(browser).startswith("Turn 7 ")
    assert len(every(browser, ".hand[aria-label='Seat 2'] .face.back")) == 5
    press(browser, "Forward one turn")
    assert sentence(browser).startswith("Turn 8 ")
    until(browser, lambda: browser.current_url.endswith("#turn=8&as=1"))


def test_a_game_that_draws_nothing_is_stepped_as_text(
    browser: Chrome, practice: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = practice.results.get(index=0).record
    assert record is not None
    monkeypatch.setattr(PRESENTATION, "show", Presentation.show)
    monkeypatch.setattr(files, "_viewer_of", lambda _game: tmp_path)
    data = viewed(record, seats=[Seat(name="")] * 2)
    file = tmp_path / "game.html"
    file.write_text(standalone(data, title="A game", text=render(record)))
    assert look(browser, f"{file.as_uri()}#turn=7", (View(1280, "light"),)) == []
    assert sentence(browser).startswith("Turn 7 Seat ")
    board = one(browser, ".text-board pre")
    assert board.text.startswith("turn 8, ")
    press(browser, "Forward one turn")
    assert board.text.startswith("turn 9, ")
    assert len(every(browser, ".move-list a")) == len(record.charged_us) + 1


def test_without_scripts_a_turn_is_there_as_cards_and_the_game_as_text(
    browser: Chrome, site: LiveServer, practice: Evaluation
) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"{site.url}/evaluations/{practice.uuid}/games/0/?turn=3")
        text = one(browser, "#text pre")
        assert text.is_displayed()
        assert "seat 1" in text.text
        assert len(every(browser, ".still-row[aria-label='Seat 1'] li")) == 5
        follow(browser, By.XPATH, "//*[@id='viewer']//a[.='Forward']")
        assert sentence(browser).startswith("Turn 4 Seat 1 ")
        follow(browser, By.XPATH, "//*[@id='viewer']//a[.='As seat 2']")
        hidden = every(browser, ".still-row[aria-label='Seat 2'] .back")
        assert len(hidden) == 5
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
