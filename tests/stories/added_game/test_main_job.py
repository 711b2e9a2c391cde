"""Everybody's main job in each game of a package: set it, upload, be graded, meet, and play it."""

from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest
import requests
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from grader.core.games import GAMES, Game
from grader.interfaces import INTERFACES
from sandbox.images import ensure_image
from tests.support import world as worlds
from tests.support.browsing import SignIn, enter, every, follow, one, press, text, until
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.hearts_match import is_my_turn, is_over
from tests.support.looking import look, views_of
from tests.support.processes import wait_until
from tests.support.story import enrolled
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.tournaments.models import Tournament
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PACKAGE = [game for game in GAMES.values() if game.__module__.startswith("firebox_games.")]
PLAYED = deeper(
    [
        next(game for game in PACKAGE if game.view),
        next(game for game in PACKAGE if not game.hides_nothing),
    ],
    deep=PACKAGE,
)
"""Games that a person plays: one with a drawing and one with secrets, or all."""
WRITTEN_FOR = ("python", "stdio-cpp", deeper("stdio-python", deep="stdio-java"))
COUNTS = deeper({"n_games": "2", "practice_games": "2"}, deep={"n_games": "500"})
"""Games against each of the house agents; otherwise the form's own."""
SECONDS = deeper(300, deep=3600)


@pytest.mark.docker
@pytest.mark.redis
def test_agents_in_three_languages_are_graded_and_meet_in_every_game(
    deployment: Deployment, browser: Chrome, site: LiveServer, sign_in: SignIn, tmp_path: Path
) -> None:
    people = worlds.make()
    for name in WRITTEN_FOR:
        for image in INTERFACES[name].images:
            ensure_image(image)
    browser.set_window_size(1280, 900)

    sign_in(people.ida)
    for game in PACKAGE:
        create(browser, site, game)
    students = (people.ada, people.ben, enrolled(people, "Dora Maar"))
    for student, interface in zip(students, WRITTEN_FOR, strict=True):
        sign_in(student)
        for game in PACKAGE:
            browser.get(site.url + page_of(game))
            upload(browser, kit_of(browser, interface, tmp_path / game.name), interface)
    await_all(Kind.SMOKE, len(students))

    sign_in(people.ida)
    for game in PACKAGE:
        browser.get(f"{site.url}{page_of(game)}teams/")
        follow(browser, By.PARTIAL_LINK_TEXT, "Grade all teams")
        press(browser, "Start anyway")
        browser.get(f"{site.url}{page_of(game)}tournaments/")
        follow(browser, By.PARTIAL_LINK_TEXT, "Start a tournament")
        enter(browser, title="Cup", **deeper({"length": "1"}, deep={}))
        press(browser, "Start tournament")
    await_all(Kind.PRACTICE, len(students))
    await_all(Kind.GRADED, len(students))
    played = Tournament.objects.filter(status=Status.FINISHED)
    wait_until(lambda: played.count() == len(PACKAGE), seconds=SECONDS, why="a cup goes on")

    wrong = []
    sign_in(people.ada)
    for number, game in enumerate(PACKAGE):
        board = f"{site.url}{page_of(game)}leaderboard/"
        browser.get(board)
        assert len(every(browser, "tbody th[scope=row]")) >= len(students), game.name
        one(browser, ".you")
        wrong += look(browser, board, views_of(number))
        practice = Evaluation.objects.get(
            kind=Kind.PRACTICE,
            submission__team__assignment__game=game.name,
            submission__uploaded_by=people.ada,
        )
        wrong += watch(browser, f"{site.url}/evaluations/{practice.uuid}/games/0/", game, number)
    assert wrong == []


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
@pytest.mark.usefixtures("without_animation")
def test_a_person_plays_a_game_to_its_end(
    game: type[Game], browser: Chrome, sign_in: SignIn
) -> None:
    people = worlds.make(game=game.name, options={"players": 2})
    sign_in(people.ada, "/courses/coop/assignments/hanabi/")
    follow(browser, By.LINK_TEXT, "Play with agents")
    press(browser, "Start the game")
    wrong = look(browser, browser.current_url, views_of(0))
    turns = 0
    while play_turn(browser, turns):
        turns += 1
    played = HumanGame.objects.get(person=people.ada)
    assert played.status == GameStatus.FINISHED
    assert turns >= 1
    assert one(browser, "#result").text
    wrong += look(browser, browser.current_url, views_of(1))
    assert wrong == []


def play_turn(browser: Chrome, turns: int) -> bool:
    """Make one move after another of those that are visible; return False at the end."""
    until(browser, lambda: is_my_turn(browser) or is_over(browser))
    if is_over(browser):
        return False
    before = one(browser, "#moves [name=turn]").get_attribute("value")
    if cells := every(browser, ".grid-cell .pick"):
        cells[0].click()
        until(browser, lambda: every(browser, ".choice .primary"))
        one(browser, ".choice .primary").click()
    else:
        buttons = every(browser, "#moves button, .choice button")
        moves = [button for button in buttons if button.is_displayed()]
        move = moves[turns % len(moves)]
        browser.execute_script("arguments[0].scrollIntoView()", move)  # as a person on a phone does
        move.click()
    until(
        browser,
        lambda: (
            is_over(browser) or one(browser, "#moves [name=turn]").get_attribute("value") != before
        ),
    )
    return True


def page_of(game: type[Game]) -> str:
    """Return the address of the game's assignment, whose short name is made from its title."""
    return f"/courses/coop/assignments/{Assignment.objects.get(game=game.name).slug}/"


def create(browser: Chrome, site: LiveServer, game: type[Game]) -> None:
    browser.get(f"{site.url}/courses/coop/new-assignment/")
    Select(browser.find_element(By.NAME, "game")).select_by_value(game.name)
    until(browser, lambda: f"{game.title} is played" in text(browser))
    due, board = "2099-01-01T12:00", "course"
    enter(browser, title=f"{game.title} agents", due_at=due, leaderboard=board, **COUNTS)
    fold = browser.find_element(By.XPATH, "//details[.//input[@name='interfaces']]")
    fold.find_element(By.TAG_NAME, "summary").click()
    for box in every(browser, "input[name=interfaces]"):
        if box.get_attribute("value") in WRITTEN_FOR and not box.is_selected():
            box.click()
    press(browser, "Create assignment", then="Assignment created.")


def kit_of(browser: Chrome, interface: str, folder: Path) -> Path:
    link = one(browser, f"a[href$='/starter-kit/{interface}/']").get_attribute("href")
    assert link is not None
    cookies = {each["name"]: each["value"] for each in browser.get_cookies()}
    folder.mkdir(exist_ok=True)
    packed = folder / f"{interface}.zip"
    packed.write_bytes(requests.get(link, cookies=cookies, timeout=30).content)
    with ZipFile(packed) as archive:
        archive.extractall(folder / interface)
    (kit,) = (folder / interface).iterdir()
    return kit


def upload(browser: Chrome, kit: Path, interface: str) -> None:
    shape = INTERFACES[interface].upload
    source = kit / shape.entry if shape.entry else next(kit.glob(f"*{shape.suffixes[0]}"))
    one(browser, "input[type=file]").send_keys(str(source))
    press(browser, "Upload", then="Submission 1")


def await_all(kind: Kind, teams: int) -> None:
    """Wait until this kind of evaluation has ended for all teams; nobody is at fault."""
    found = Evaluation.objects.filter(kind=kind, status=Status.FINISHED, faults=0)
    count = len(PACKAGE) * teams
    wait_until(lambda: found.count() == count, seconds=SECONDS, why=f"{kind} is not over")


def watch(browser: Chrome, address: str, game: type[Game], number: int) -> Sequence[str]:
    """Step through a replay; return what is wrong with the page at two of its turns."""
    wrong = look(browser, f"{address}?turn=1", views_of(number))
    drawn = ".grid-cell .piece" if game.view else ".still-row"
    assert every(browser, f".stage {drawn}"), game.name
    assert [each.text for each in every(browser, ".places b")] == ["Seat 1", "Seat 2"], game.name
    shown = one(browser, ".stage .sentence").text
    one(browser, "button[title='Forward one turn']").click()
    until(browser, lambda: one(browser, ".stage .sentence").text != shown)
    return wrong
