"""The main job, in a real browser: register, upload, watch, be graded, read the leaderboard."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.common.exceptions import (
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from grader import house
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.processes import wait_until
from webapp.evaluations.models import Audit

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

GAMES = 100
INVENTED = "a-walk-in-the-rain"


class Visitor:
    """Somebody in front of the browser: reads what is there and clicks on what it says."""

    def __init__(self, browser: Chrome, site: LiveServer) -> None:
        self._browser = browser
        self._site = site

    def goes_to(self, path: str) -> None:
        self._browser.get(self._site.url + path)

    def follows(self, words: str) -> None:
        self._when_there(By.PARTIAL_LINK_TEXT, words, WebElement.click)

    def presses(self, words: str) -> None:
        """Click on a form's button and wait for the page that answers.

        The click returns before the request is sent, and what follows must not overtake it.
        """

        def press(button: WebElement) -> None:
            self._browser.execute_script("window.isBefore = true")  # type: ignore[no-untyped-call]
            button.click()

        self._when_there(By.XPATH, f"//button[normalize-space()='{words}']", press)
        between = [WebDriverException]  # while one page goes and the next comes
        WebDriverWait(self._browser, 15, ignored_exceptions=between).until(
            lambda browser: browser.execute_script("return !window.isBefore")
        )

    def fills(self, **fields: str) -> None:
        for name, value in fields.items():
            self._when_there(By.NAME, name, lambda field, text=value: field.send_keys(text))

    def sees(self, words: str, *, seconds: float = 10) -> None:
        """Wait for words to appear, without loading the page again."""
        try:
            wait_until(lambda: words in self.page, seconds=seconds, why=f"no {words!r} there")
        except AssertionError as error:
            error.add_note(self.page)
            raise

    @property
    def page(self) -> str:
        return str(self._browser.execute_script("return document.body.innerText"))  # type: ignore[no-untyped-call]

    def _when_there(self, by: str, what: str, act: Callable[[WebElement], None]) -> None:
        """Do something to an element as soon as the page has it; a page may still be loading."""

        def attempt(browser: Chrome) -> bool:
            act(browser.find_element(by, what))
            return True

        gone = [NoSuchElementException, StaleElementReferenceException]
        WebDriverWait(self._browser, 15, ignored_exceptions=gone).until(attempt)

    def signs_in(self, email: str, password: str) -> None:
        self._browser.delete_all_cookies()
        self.goes_to("/accounts/sign-in/")
        self.fills(username=email, password=password)
        self.presses("Sign in")


@pytest.mark.django_db(transaction=True)
def test_a_student_registers_uploads_and_ends_on_the_leaderboard(
    deployment: Deployment, browser: Chrome, site: LiveServer, tmp_path: Path
) -> None:
    people = world.make(games=GAMES, practice_games=20)
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
    visitor.sees("Ready", seconds=60)
    visitor.sees("games\n20\n", seconds=60)

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Teams and grading")
    visitor.follows("Grade all teams")
    visitor.presses("Start all the same")
    visitor.sees("Accepted", seconds=120)
    visitor.presses("Hide it")
    visitor.presses("Publish to the course")

    visitor.signs_in("dora@example.org", INVENTED)
    visitor.follows("Hanabi with a twin")
    visitor.sees("Your grade")
    visitor.follows("Leaderboard")
    visitor.sees("your team")
    assert f"\t{GAMES}\t" in visitor.page

    wait_until(Audit.objects.filter(status="finished").exists, seconds=180, why="no audit came")
    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to(f"/evaluations/{Audit.objects.get().evaluation.uuid}/")
    visitor.sees("10 games × 2 seats, all moves repeated")
