"""A game of an instructor's own: uploaded as a folder, checked, set, played by a student's agent.

Everything is real: the browser, the graders, the sandboxes. Nothing but a sandbox runs its rules.
"""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from grader.house.catalogue import AGENTS
from tests.support import world
from tests.support.browsing import enter
from tests.support.deployment import Deployment
from tests.support.game_folders import zipped
from tests.support.looking import ALL_VIEWS, PICTURE_VIEWS, look, take_picture
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.teaching.courses.models import GameFolder

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]


@pytest.mark.django_db(transaction=True)
def test_an_instructor_uploads_a_game_and_a_student_gets_a_grade_and_a_drawn_replay(
    deployment: Deployment,
    browser: Chrome,
    site: LiveServer,
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    people = world.make()
    game, agent = tmp_path / "tic_tac_toe.zip", tmp_path / "random.zip"
    game.write_bytes(zipped())
    agent.write_bytes(AGENTS["any/random_legal"].bundle())
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    # Ida uploads the folder, waits for its check, and sets an assignment with the form's defaults.
    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to(f"/courses/{people.course.slug}/")
    visitor.follows("Games of your own")
    visitor.fills(file=str(game))
    visitor.presses("Upload game")
    visitor.sees("The game is in order", seconds=180)
    folder = GameFolder.objects.get()
    pages = [f"/courses/{people.course.slug}/games/", f"{browser.current_url[len(site.url) :]}"]
    visitor.follows("New assignment")
    visitor.sees("Tic-tac-toe (uploaded")
    enter(browser, title="Three in a row", n_games="20", practice_games="4", smoke_games="2")
    visitor.presses("Create assignment")
    visitor.sees("Assignment created.")
    pages.append(browser.current_url[len(site.url) :])

    # Ada uploads an agent, and Ida grades it.
    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.goes_to(pages[-1])
    visitor.sees("Its rules run in a sandbox beside your agent")
    visitor.fills(file=str(agent))
    visitor.presses("Upload")
    played(deployment, "practice", 4)
    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to(pages[-1])
    visitor.follows("Teams and grading")
    visitor.follows("Grade all teams")
    visitor.presses("Start anyway")
    played(deployment, "graded", 20)
    visitor.sees("graded team", seconds=60)

    # Ada reads her grade, and watches a practice game that the grader drew.
    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.goes_to(pages[-1])
    visitor.sees("Your grade")
    practice = GameResult.objects.filter(evaluation__kind="practice").earliest("index")
    pages.append(f"/evaluations/{practice.evaluation.uuid}/games/{practice.index}/")
    visitor.goes_to(pages[-1])
    visitor.finds(".grid-cell")
    visitor.sees("puts a mark on row")

    # Nothing that people may open fails, and all of it reads well.
    visitor.signs_in(people.ida.email, world.PASSWORD)
    wrong = [each for page in pages for each in look(browser, site.url + page, ALL_VIEWS)]
    assert wrong == []
    if pytestconfig.getoption("--screenshots"):
        for number, page in enumerate(pages):
            for view in PICTURE_VIEWS:
                look(browser, site.url + page, [view])
                take_picture(browser, Path(f"var/screenshots/uploaded-{number}-{view}.png"))
    assert folder.name.startswith("uploaded:tic_tac_toe_")


def played(deployment: Deployment, kind: str, games: int) -> None:
    ended = Evaluation.objects.filter(kind=kind, status__in=("finished", "failed", "cancelled"))
    try:
        wait_until(ended.exists, seconds=240, why=f"{kind} games are not played")
    except AssertionError as error:
        error.add_note(deployment.results.log[-3000:] + deployment.games.log[-3000:])
        raise
    evaluation = ended.get()
    assert (evaluation.status, evaluation.system_fault) == ("finished", "")
    assert (evaluation.games_done, evaluation.faults) == (games, 0)
