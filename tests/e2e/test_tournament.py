"""Tournaments from form to standings, in real sandboxes; and one whose graders are killed."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from grader.audit import Conclusion
from grader.house.catalogue import fitting
from grader.interfaces import INTERFACES
from grader.tournament import verify_tournament
from sandbox.images import ensure_image
from tests.support import everybody, tournaments, world
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.processes import wait_until
from tests.support.visitor import Visitor
from webapp.contests.tournaments.models import Tournament, TournamentAudit
from webapp.contests.tournaments.services import TournamentSetting, start_audit, start_tournament
from webapp.grading.evaluations.models import AuditStatus, Status
from webapp.grading.jobs.models import JobStatus
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

SEATS = 5
ROUNDS = deeper(1, deep=2)
SANE = deeper(4, deep=12)
"""Teams whose agents play well."""
HOUSE = deeper(("iggi", "piers"), deep=())
"""House agents that take part; none named: all there are."""
FILLER = "piers"


def make(variant: str, players: int, interfaces: Sequence[str], **fields: object) -> world.World:
    """A course whose assignment takes these interfaces; their images are there."""
    for name in interfaces:
        for image in INTERFACES[name].images:
            ensure_image(image)
    rules = {"variant": variant, "players": players}
    return world.make(games=1, interfaces=list(interfaces), options=rules, **fields)


def ticks(browser: Chrome, name: str, value: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f"input[name={name}][value='{value}']").click()


@pytest.mark.django_db(transaction=True)
def test_everybody_meets_at_tables_of_five(
    deployment: Deployment, browser: Chrome, site: LiveServer
) -> None:
    interfaces = ("python", "stdio-python", "stdio-cpp", "stdio-java", "uwa-java")
    people = make("uwa", SEATS, interfaces)
    house = HOUSE or tuple(fitting(people.assignment.rules))
    sane = (*everybody.of_java()[:1], *everybody.of_firebox(), *everybody.of_java()[1:])
    uploads = (*everybody.faulty(), *sane[:SANE])
    size = len(uploads) + len(house)
    everybody.enter(people, uploads)
    visitor = Visitor(browser, site)
    browser.set_window_size(1280, 900)

    visitor.signs_in(people.ida.email, world.PASSWORD)
    visitor.goes_to("/courses/coop/assignments/hanabi/teams/")
    visitor.follows("Tournaments")
    visitor.follows("Start a tournament")
    visitor.sees(f"{len(uploads)} teams would take part")
    for name in ("title", "length", "faults_to_removal"):
        browser.find_element("name", name).clear()
    visitor.fills(title="Spring cup", length=str(ROUNDS), faults_to_removal="2")
    for name in house:
        ticks(browser, "fillers" if name == FILLER else "references", name)
    visitor.presses("Start tournament")
    visitor.sees("Playing", seconds=120)
    found = Tournament.objects.get()
    visitor.sees("Finished", seconds=900)
    visitor.follows("Release the results")
    visitor.presses("Release the results")
    visitor.sees("participants and results")

    visitor.signs_in("kit@example.org", world.PASSWORD)
    visitor.follows("Hanabi with a twin")
    visitor.follows("Tournaments")
    visitor.follows("Spring cup")
    visitor.finds(".you")
    visitor.sees("removed after")

    assert_that_it_is_complete(found)
    assert_that_the_faulty_were_removed(found, size)


@pytest.mark.django_db(transaction=True)
def test_tables_whose_graders_are_killed_are_played_again(deployment: Deployment) -> None:
    """Turns are short, since the site waits for as many of them before it asks again."""
    people = make("standard", 2, ("python",), limits={"turn_seconds": 0.1})
    everybody.enter(people, everybody.unhurried())
    found = start(people, 2, rounds=2, references=("outer",), fillers=("iggi",))
    playing = found.jobs.filter(status=JobStatus.PLAYING)
    wait_until(playing.all().exists, seconds=120, why="nothing was under way")
    deployment.games.kill()
    deployment.games.start()
    await_end(found)
    assert found.jobs.filter(status=JobStatus.FAILED).exists(), "nothing was given up"
    assert_that_its_moves_are_repeated(found, people.ida)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("interface", "variant", "players"),
    [("ensta-python", "ensta", 5), ("cs221-python", "cs221", 4), ("gcc-cpp", "gcc", 2)],
)
def test_agents_of_a_course_meet_those_of_others(
    interface: str, variant: str, players: int, deployment: Deployment
) -> None:
    people = make(variant, players, (interface, "python"))
    everybody.enter(people, (*everybody.of_course(interface), *everybody.of_firebox()[:2]))
    found = play(people, players, references=("outer",), fillers=("iggi",))
    assert found.participants.count() == 6


@pytest.mark.django_db(transaction=True)
def test_agents_that_play_against_each_other_are_rated(deployment: Deployment) -> None:
    interfaces = ("fit2102-haskell", "python", "stdio-python")
    house = ("hearts/careful", "hearts/guarded")
    people = make("fit2102", 4, interfaces, game="hearts")
    everybody.enter(people, (*everybody.of_haskell(), *everybody.of_firebox("hearts")[:3]))
    found = play(people, 4, references=house[:1], fillers=house[1:])
    assert found.standings is not None
    rated = [row.elo for row in found.standings.rows if row.games]
    assert len(rated) > 5
    assert None not in rated


def assert_that_its_moves_are_repeated(found: Tournament, by: User) -> None:
    """Audit a game of each agent; each repeats its moves."""
    audits = start_audit(tournament=found, by=by, n_games=1)
    done = TournamentAudit.objects.filter(status=AuditStatus.FINISHED)
    wait_until(lambda: done.count() == len(audits), seconds=120, why="no audits came")
    seats = [seat for audit in done for seat in (audit.report.seats if audit.report else ())]
    assert len(seats) >= len(audits)
    assert {seat.conclusion for seat in seats} == {Conclusion.SAME}


def start(people: world.World, seats: int, *, rounds: int, **house: tuple[str, ...]) -> Tournament:
    setting = TournamentSetting(sizes=(seats,), rounds=rounds, games_per_table=2, **house)
    return start_tournament(
        assignment=people.assignment, by=people.ida, title="Spring cup", setting=setting
    )


def play(people: world.World, seats: int, **house: tuple[str, ...]) -> Tournament:
    found = start(people, seats, rounds=deeper(1, deep=2), **house)
    await_end(found)
    return found


def await_end(found: Tournament) -> None:
    wait_until(
        lambda: Tournament.objects.get().status == Status.FINISHED, seconds=300, why="not finished"
    )
    assert_that_it_is_complete(found)
    faults = found.games.exclude(fault_kind="").values_list("fault_kind", "fault_detail")
    assert list(faults) == []


def assert_that_it_is_complete(found: Tournament) -> None:
    """Exactly the planned games count, and a verifier agrees with everything."""
    found.refresh_from_db()
    assert found.status == Status.FINISHED
    assert found.games_done == found.n_games
    verified = verify_tournament(tournaments.exported(found))
    assert verified.ok, verified.findings


def assert_that_the_faulty_were_removed(found: Tournament, size: int) -> None:
    """The first three, and nobody else, who played all of their games."""
    assert found.participants.count() == size
    kinds = dict(found.games.exclude(fault_kind="").values_list("fault_kind", "fault_detail"))
    assert set(kinds) == {"crash", "timeout"}
    assert found.standings is not None
    reasons = {
        row.participant: row.removal for row in found.standings.rows if row.removal is not None
    }
    assert set(reasons) == {0, 1, 2}, f"the ones that crash, loop, and are late: {reasons}"
    played = {row.participant: row.games for row in found.standings.rows}
    whole = ROUNDS * SEATS
    assert [played[number] for number in range(3, size - 1)] == [whole] * (size - 4)
    assert found.finished_at is not None
    assert found.finished_at - found.requested_at < timedelta(minutes=20)
