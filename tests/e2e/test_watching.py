"""A page that is watched goes on asking after an answer without content, and shows what comes."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import world
from tests.support.processes import wait_until
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

UNCHANGED = """
const asked = performance.getEntriesByType("resource");
return asked.filter((entry) => entry.responseStatus === 304).length;
"""


def test_a_page_keeps_polling_while_nothing_changes(browser: Chrome, site: LiveServer) -> None:
    people = world.make()
    submission = world.upload(people, people.ada)
    smoke = world.play(submission.evaluations.get(), upto=1)
    visitor = Visitor(browser, site)
    visitor.signs_in(people.ada.email, world.PASSWORD)
    visitor.goes_to(f"/submissions/{submission.pk}/")
    visitor.sees("1 of 3 games")
    assert browser.title.startswith("Playing first test · ")
    wait_until(lambda: unchanged(browser) >= 2, why="it does not ask twice")
    world.play(smoke, upto=2)
    visitor.sees("2 of 3 games")
    world.play(smoke)
    world.play(submission.evaluations.get(kind="practice"))
    visitor.sees("Practise again")
    wait_until(
        lambda: browser.title.startswith("Accepted · Submission 1 of "),
        why="the title does not say how it ended",
    )


def unchanged(browser: Chrome) -> int:
    return int(browser.execute_script(UNCHANGED))  # type: ignore[no-untyped-call]
