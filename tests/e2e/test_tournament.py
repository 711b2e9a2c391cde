"""A tournament from its form to its standings, in real sandboxes; graders are killed meanwhile."""

import json
from datetime import timedelta

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from grader.records import AgentLimits, to_json
from grader.tournament import verify_tournament
from tests.support import tournaments, world
from tests.support.deployment import Deployment
from tests.support.visitor import Visitor
from webapp.courses.services import team_for
from webapp.evaluations.models import Batch, BatchStatus, Evaluation, Status
from webapp.submissions.models import Submission, SubmissionStatus
from webapp.submissions.services import accept
from webapp.tournaments.models import Tournament
from webapp.tournaments.selectors import export_of

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

PLAYS = """from firebox import Agent


class Mine(Agent):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
CRASHES = PLAYS.replace("return observation.legal_actions[-1]", "raise ValueError('on purpose')")
LOOPS = PLAYS.replace("return observation.legal_actions[-1]", "while True: pass")
LIMITS = AgentLimits(turn_seconds=0.5, turn_wall_seconds=1.5)


def enter(course: world.World, name: str, source: str) -> None:
    """A team whose agent is taken as tested: what it does is for the tournament to find out."""
    user = tournaments.student(course.course, name)
    team = team_for(user=user, assignment=course.assignment)
    accept(team=team, by=user, filename="agent.py", data=source.encode())
    Evaluation.objects.update(status=Status.CANCELLED)
    Batch.objects.update(status=BatchStatus.CANCELLED)
    Submission.objects.update(status=SubmissionStatus.READY)


@pytest.mark.django_db(transaction=True)
def test_a_tournament_with_an_agent_that_crashes_and_one_that_loops(
    deployment: Deployment, browser: Chrome, site: LiveServer
) -> None:
    people = world.make(games=1, limits=json.loads(to_json(LIMITS)))
    for name, source in (
        ("Eva Doe", PLAYS),
        ("Finn Doe", PLAYS + "# Finn's\n"),
        ("Gus Doe", CRASHES),
        ("Hal Doe", LOOPS),
    ):
        enter(people, name, source)
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to("/courses/coop/assignments/hanabi/teams/")
    visitor.follows("Tournaments")
    visitor.follows("Start a tournament")
    visitor.sees("4 teams would take part")
    for name in ("title", "length", "faults_to_removal"):
        browser.find_element("name", name).clear()
    visitor.fills(title="Spring cup", length="3", faults_to_removal="2")
    for box in ("id_fillers_2", "id_references_1"):
        browser.find_element("id", box).click()
    visitor.presses("Start")
    visitor.sees("Playing", seconds=120)
    deployment.games.kill()
    deployment.games.start()
    visitor.sees("Finished", seconds=400)
    visitor.presses("Release the results")
    visitor.sees("participants and results")

    visitor.signs_in("eva@example.org", world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Tournaments")
    visitor.follows("Spring cup")
    visitor.sees("your team")
    visitor.sees("removed after")

    found = Tournament.objects.get()
    assert found.status == Status.FINISHED
    assert found.games_done == found.n_games == 18
    kinds = set(found.games.exclude(fault_kind="").values_list("fault_kind", flat=True))
    assert kinds == {"crash", "timeout"}
    rows = {row.participant: row for row in found.standings.rows} if found.standings else {}
    assert rows[0].games == rows[1].games == rows[4].games == 6
    assert [rows[number].removal is not None for number in range(4)] == [False, False, True, True]
    verified = verify_tournament(export_of(found, reveal_secret=True))
    assert verified.ok, verified.findings
    assert found.finished_at is not None
    assert found.finished_at - found.requested_at < timedelta(minutes=10)
