"""The main job in a game that is played against others: upload, practice, grade, board, replay."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from grader.core.records import from_json
from grader.interfaces import INTERFACES
from grader.interfaces.starter_kit import starter_files
from grader.results.export import EvaluationExport, verify_export
from sandbox.images import ensure_image
from tests.support import opponents, world
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.visitor import Visitor
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.reproducing import export_json
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

GAMES = 4
"""Against each opponent: one at each seat."""
OPPONENTS = deeper(2, deep=3)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("interface", "variant", "file"),
    [
        ("fit2102-haskell", "fit2102", "Player.hs"),
        pytest.param("python", "standard", "agent.py", marks=pytest.mark.deep),
    ],
)
def test_the_agent_of_the_starter_kit_ends_on_the_leaderboard(
    interface: str,
    variant: str,
    file: str,
    deployment: Deployment,
    browser: Chrome,
    site: LiveServer,
    tmp_path: Path,
) -> None:
    for runtime in INTERFACES[interface].images:
        ensure_image(runtime)
    people = opponents.make(games=GAMES, interface=interface, variant=variant, opponents=OPPONENTS)
    Assignment.objects.update(audited_games=0)
    upload = tmp_path / file
    upload.write_bytes(starter_files("hearts", interface=interface)[file])
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.follows("Hearts against the house")
    visitor.sees("your agent, and copies of one opponent")
    visitor.fills(file=str(upload))
    visitor.presses("Upload")
    visitor.sees("Submission 1")
    visitor.sees(f"games\n{OPPONENTS * GAMES}\n", seconds=300)
    practice = Evaluation.objects.get(kind=Kind.PRACTICE)
    visitor.goes_to(f"/evaluations/{practice.uuid}/games/5/")
    visitor.sees("Replay")
    visitor.sees("Hand 2")
    visitor.sees("--with house:hearts/careful --seat 2 --index 0")

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.follows("Hearts against the house")
    visitor.follows("Teams and grading")
    visitor.follows("Grade all teams")
    visitor.sees(f"{GAMES} games for each against each of {OPPONENTS} opponents")
    visitor.presses("Start anyway")
    visitor.sees("graded team", seconds=300)
    visitor.follows("Leaderboard")
    visitor.sees("Won")

    graded = Evaluation.objects.get(kind=Kind.GRADED)
    assert graded.faults == 0
    assert graded.wins is not None
    assert [each.games for each in graded.wins.opponents] == [GAMES] * OPPONENTS
    assert verify_export(from_json(export_json(graded), EvaluationExport)).ok
