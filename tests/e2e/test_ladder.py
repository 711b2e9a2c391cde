"""A ladder from its form to its rest, in real sandboxes, beside something that goes first."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import everybody, world
from tests.support.deployment import Deployment
from tests.support.ladder_story import LADDER
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from webapp.contests.ladders.models import Departure, Ladder
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.evaluations.services import request_practice
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.queues import Queue
from webapp.teaching.courses.models import Team

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

PLAYS = everybody.Upload("Kit", "python", "agent.py", everybody.LAST.encode())
CRASHES = everybody.Upload("Lou", "python", "agent.py", everybody.CRASHES.encode())


@pytest.mark.django_db(transaction=True)
def test_agents_meet_on_a_ladder_until_it_rests(
    deployment: Deployment, browser: Chrome, site: LiveServer
) -> None:
    people = world.make(games=4, interfaces=["python"])
    everybody.enter(people, (PLAYS, CRASHES))
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to("/courses/coop/assignments/hanabi/")
    visitor.follows("Ladder")
    for name in ("half_width", "max_games"):
        browser.find_element("name", name).clear()
    visitor.fills(half_width="10", max_games="12")
    visitor.presses("Open ladder")
    visitor.sees("The ladder is open")
    practice = request_practice(
        submission=Team.objects.earliest("pk").submissions.get(), by=people.ida
    )
    visitor.sees("idle", seconds=180)  # without a click: the page follows the games
    visitor.sees("its faults ended too many games")

    visitor.signs_in("kit@example.org", world.PASSWORD)
    visitor.goes_to(LADDER)
    visitor.sees("version 1")
    browser.find_element("xpath", "//summary[contains(., 'your')]").click()
    visitor.presses("Withdraw version…")
    visitor.presses("Withdraw version")
    visitor.sees("has left the ladder")

    assert_that_it_was_played(Ladder.objects.get())
    assert practice.kind == Kind.PRACTICE
    finished = Evaluation.objects.filter(pk=practice.pk, status=Status.FINISHED)
    wait_until(finished.exists, why="practice did not finish")


def assert_that_it_was_played(ladder: Ladder) -> None:
    """In the queue that is served last, by three house agents and two teams."""
    assert ladder.entries.exclude(house_agent="").count() == 3
    assert {entry.departure for entry in ladder.entries.exclude(submission=None)} == {
        Departure.WITHDRAWN,
        Departure.FAULTY,
    }
    jobs = Job.objects.filter(ladder=ladder)
    assert {job.queue for job in jobs} == {Queue.LADDER}
    assert {job.status for job in jobs} <= {JobStatus.FINISHED, JobStatus.CANCELLED}
    spoiled = ladder.games.exclude(fault_kind="")
    assert {game.fault_kind for game in spoiled} == {"crash"}
    assert ladder.games.count() > spoiled.count()
