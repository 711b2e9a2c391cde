"""Submitting from a terminal: a token from the profile page, then the command, to its verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world
from tests.support.deployment import Deployment
from tests.support.visitor import Visitor
from tests.support.world import SOURCE
from webapp.grading.submissions.models import Submission

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

PRACTICE = 4
CRASHES = SOURCE.replace(b"return observation.legal_actions[0]", b"return observation.secret")


def firebox(home: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"XDG_CONFIG_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *words],
        input=typed, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_token_of_the_profile_page_submits_from_a_terminal(
    deployment: Deployment, browser: Chrome, site: LiveServer, tmp_path: Path
) -> None:
    people = world.make(games=1, practice_games=PRACTICE)
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)
    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.goes_to("/accounts/profile/")
    visitor.fills(name="Ada’s laptop")
    visitor.presses("Create token")
    visitor.fills(password=world.PASSWORD)
    visitor.presses("Confirm")
    visitor.sees("not shown again")
    token = browser.find_element(By.CSS_SELECTOR, "pre code").text

    signed_in = firebox(tmp_path, "login", site.url, typed=token + "\n")
    assert signed_in.returncode == 0, signed_in.stderr
    agent = tmp_path / "agent.py"
    agent.write_bytes(SOURCE)
    good = firebox(tmp_path, "submit", str(agent), "--watch")
    assert good.returncode == 0, good.stderr
    assert f"Practice: accepted, {PRACTICE} games, mean" in good.stdout
    assert "Ready: it counts now." in good.stdout
    agent.write_bytes(CRASHES)
    faulty = firebox(tmp_path, "submit", str(agent), "--watch")
    assert faulty.returncode == 1, faulty.stderr
    assert "First test: faulty" in faulty.stdout
    assert "Rejected: it cannot play." in faulty.stdout
    assert Submission.objects.count() == 2

    visitor.goes_to("/accounts/profile/")
    visitor.follows("Revoke")
    visitor.presses("Revoke token")
    visitor.sees("Token revoked")
    refused = firebox(tmp_path, "submit", str(agent))
    assert refused.returncode == 2
    assert "revoked or expired" in refused.stderr
