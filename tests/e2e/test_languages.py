"""The main job for agents of the courses, unmodified: upload, smoke test, grade, board, replay."""

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from grader.core.records import Mode
from grader.interfaces import INTERFACES
from sandbox.images import ensure_image
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.teaching.courses.services import set_student_number

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

AGENTS = Path(__file__).parents[1] / "grader" / "interfaces"
SAMPLES = {
    "uwa-java": ("uwa_java/agents/Agent10000001.java", "uwa_java/agents/Check.java"),
    "gcc-cpp": ("gcc_cpp/agents/veteran/Player.h",),
    "ensta-python": ("ensta/agents/careful/robot.py",),
    "cs221-python": ("cs221/agents/certain.py",),
}
"""Sources of agents; several are packed into an archive.

Agents of all of them are played by graders in ``test_tournament``, and recognised at upload in
``tests/webapp``; in ``make test`` one goes the whole way.
"""
GAMES, PRACTICE = deeper((8, 4), deep=(1000, 5))


def file_of(name: str, folder: Path) -> Path:
    paths = [AGENTS / each for each in SAMPLES[name]]
    if len(paths) == 1:
        return paths[0]
    packed = folder / "agent.zip"
    with ZipFile(packed, "w") as archive:
        for path in paths:
            archive.write(path, path.name)
    return packed


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", deeper(["ensta-python"], deep=list(SAMPLES)))
def test_an_agent_of_a_course_ends_on_the_leaderboard(
    name: str, deployment: Deployment, browser: Chrome, site: LiveServer, tmp_path: Path
) -> None:
    interface = INTERFACES[name]
    for runtime in interface.images:
        ensure_image(runtime)
    people = world.make(
        games=GAMES,
        practice_games=PRACTICE,
        audited_games=0,
        interfaces=[name],
        options={"variant": interface.rules.variant, "players": 2},
        checks_student_number=True,
    )
    place = people.course.enrolments.get(user=people.ada)
    set_student_number(enrolment=place, by=people.ada, number="10000001")
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.fills(file=str(file_of(name, tmp_path)))
    visitor.presses("Upload")
    visitor.sees("Submission 1")
    visitor.sees(interface.title)
    finished = Evaluation.objects.filter(kind=Kind.PRACTICE, status=Status.FINISHED)
    wait_until(finished.exists, seconds=300, why="practice did not finish")
    visitor.sees(f"games\n{PRACTICE}\n")
    practice = finished.get()
    visitor.goes_to(f"/evaluations/{practice.uuid}/games/0/")
    visitor.sees("Replay")
    visitor.sees(f"--interface {name}")

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Teams and grading")
    visitor.follows("Grade all teams")
    visitor.presses("Start anyway")
    visitor.sees("graded team", seconds=deeper(300, deep=3600))

    graded = Evaluation.objects.get(kind=Kind.GRADED)
    visitor.goes_to(f"/evaluations/{graded.uuid}/games/0/")
    visitor.sees("Replay")
    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Leaderboard")
    visitor.finds(".you")
    assert re.search(rf"\s{GAMES:,}\s+[\d.]+%", visitor.page), "games, and those that were lost"
    assert ("team mode" in visitor.page) == (interface.modes[0] is Mode.TEAM)
    assert graded.games_done == GAMES
    assert graded.faults == 0
