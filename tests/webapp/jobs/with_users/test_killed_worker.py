"""A results worker that is killed while it holds reports, on a Redis with its users."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from grader.audit import AuditReport
from grader.core.live import SeatReport, SeatRequest
from grader.core.records import BatchPhase
from tests.grader.played import really_played
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.graders import a_signer, signed
from tests.support.jobs import audit_request, audited_seats, request_of
from tests.support.processes import START_SECONDS, wait_until
from tests.support.redis_server import RedisWithUsers
from tests.support.site_redis import KeysOfSite, site_redis
from tests.webapp import fakes
from webapp.base.celery import app
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.services import act, start_game
from webapp.grading.evaluations.models import Audit, AuditStatus, Evaluation, Status
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.owners import owner_of
from webapp.teaching.courses.models import Team

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@contextmanager
def locked() -> Iterator[None]:
    """Hold the database's one lock for writers: nothing is recorded."""
    file = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture(autouse=True)
def _admitted(cast: object) -> None:
    admit_key(public_key=a_signer().public_key, name="host", at=timezone.now())


def forget(job: Job) -> None:
    """Let the time for a report on a job be over.

    The job is new: the worker deletes old ones once they are closed.
    """
    past = timezone.now() - timedelta(minutes=1)
    times = {"created_at": past, "sent_at": past, "lease_until": past}
    Job.objects.filter(pk=job.pk).update(**times, sent_to=job.queue)


def kill_while_it_holds(site: Deployment, client: KeysOfSite, *, messages: int) -> None:
    """Kill a worker that has taken the last of so many messages that are held then."""

    def held() -> int:
        reports = sum(client.llen(key) for key in client.scan_iter("results.held.*"))
        return client.hlen("results.held") + reports

    with locked():
        site.results.start()
        wait_until(
            lambda: held() == messages, seconds=START_SECONDS, why="the worker holds no reports"
        )
        site.results.kill()


def go_on(site: Deployment, client: KeysOfSite) -> None:
    """Start a worker when Redis has forgotten the dead ones, as it does after some time."""
    for pattern in ("results.alive.*", "firebox.turn.*"):
        for key in client.scan_iter(pattern):
            client.delete(key)
    site.results.start()


def send(text: str, task: str, *, queue: str) -> None:
    with app.connection_for_write() as broker:
        app.send_task(f"webapp.{task}", [text], queue=queue, connection=broker)


def send_in_parts(job: Job, count: int) -> None:
    games = really_played(request_of(job))
    size = len(games) // count
    for part in range(count):
        phase = BatchPhase.DONE if part == count - 1 else BatchPhase.PLAYING
        results = games[part * size : (part + 1) * size]
        text = signed(fakes.report(job, phase, results), "record_batch")
        send(text, "record_batch", queue="results")


def test_what_a_killed_worker_held_is_recorded_and_no_game_is_played_again(
    graded: Evaluation, site: Deployment, redis_server: RedisWithUsers
) -> None:
    (job,) = fakes.jobs(graded)
    send_in_parts(job, 4)
    forget(job)
    with site_redis(redis_server.url, decode_responses=True) as client:
        kill_while_it_holds(site, client, messages=4)
        go_on(site, client)
        wait_until(
            lambda: Evaluation.objects.filter(pk=graded.pk, status=Status.FINISHED).exists(),
            seconds=START_SECONDS,
            why="the reports are not recorded",
        )
    assert list(Job.objects.values_list("attempt", "losses").filter(evaluation=graded)) == [(1, 0)]
    assert graded.results.count() == graded.n_games


def a_game_with(evaluation: Evaluation, team: Team) -> HumanGame:
    ada = team.users.get()
    agents = (f"submission:{evaluation.submission_id}",)
    game = start_game(assignment=evaluation.assignment, by=ada, seat=0, agents=agents)
    act(game=game, by=ada, turn=0, move="p0")
    return game


def send_answer(game: HumanGame) -> None:
    job = game.jobs.get()
    request = owner_of(job).request_of(job)
    assert isinstance(request, SeatRequest)
    report = SeatReport(
        ask=request.ask, request=request.digest(), action={"type": "play", "card": 0}
    )
    send(signed(report, "record_answer"), "record_answer", queue="verdicts")
    forget(job)


def send_audit(audit: Audit) -> None:
    request = audit_request(audit)
    report = AuditReport(
        audit=request.audit, request=request.digest(), seats=audited_seats(request)
    )
    send(signed(report, "record_audit"), "record_audit", queue="results")
    forget(audit.jobs.get())


@pytest.mark.parametrize("kind", deeper(["answer"], deep=["answer", "audit"]))
def test_a_single_answer_that_a_killed_worker_held_is_recorded_once(
    kind: str, graded: Evaluation, team: Team, site: Deployment, redis_server: RedisWithUsers
) -> None:
    owner: HumanGame | Audit
    if kind == "answer":
        owner = a_game_with(graded, team)
        send_answer(owner)
        recorded = HumanGame.objects.filter(pk=owner.pk, actions="p0 p0")
    else:
        owner = fakes.play(graded).audit
        send_audit(owner)
        recorded = Audit.objects.filter(pk=owner.pk, status=AuditStatus.FINISHED)
    with site_redis(redis_server.url, decode_responses=True) as client:
        kill_while_it_holds(site, client, messages=1)
        go_on(site, client)
        wait_until(recorded.exists, seconds=START_SECONDS, why="it is not recorded")
    assert list(owner.jobs.values_list("attempt", "losses")) == [(1, 0)]
