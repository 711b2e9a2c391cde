"""The main job, in a real browser: register, upload, watch, be graded, read the leaderboard."""

import re
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from grader import house
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from webapp.grading.evaluations.models import Audit

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

GAMES, PRACTICE, AUDITED = deeper((20, 5, 2), deep=(1000, 20, 10))
INVENTED = "a-walk-in-the-rain"


@pytest.mark.django_db(transaction=True)
def test_a_student_registers_uploads_and_ends_on_the_leaderboard(
    deployment: Deployment, browser: Chrome, site: LiveServer, tmp_path: Path
) -> None:
    people = world.make(games=GAMES, practice_games=PRACTICE, audited_games=AUDITED)
    upload = tmp_path / "cautious.zip"
    upload.write_bytes(house.bundle("piers"))
    visitor = Visitor(browser, site)
    browser.delete_all_cookies()
    browser.set_window_size(1280, 900)

    visitor.goes_to("/accounts/register/")
    visitor.fills(
        invite_code=people.course.invite_code,
        display_name="Dora Minh",
        email="dora@example.org",
        password=INVENTED,
    )
    visitor.presses("Create my account")
    visitor.follows("Hanabi with a twin")
    visitor.fills(file=str(upload))
    visitor.presses("Upload")
    visitor.sees("Submission 1")
    visitor.sees(f"games\n{PRACTICE}\n", seconds=120)

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Teams and grading")
    visitor.follows("Grade all teams")
    visitor.presses("Start anyway")
    visitor.sees("graded team", seconds=deeper(120, deep=1200))
    visitor.presses("Hide leaderboard")
    visitor.presses("Publish to the course")

    visitor.signs_in("dora@example.org", INVENTED)
    visitor.follows("Hanabi with a twin")
    visitor.sees("Your grade")
    visitor.follows("Leaderboard")
    visitor.finds(".you")
    assert re.search(rf"\s{GAMES:,}\s+[\d.]+%", visitor.page), "games, and those that were lost"

    wait_until(Audit.objects.filter(status="finished").exists, seconds=180, why="no audit came")
    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to(f"/evaluations/{Audit.objects.get().evaluation.uuid}/")
    visitor.sees(f"{AUDITED} games × 2 seats, all moves repeated")
