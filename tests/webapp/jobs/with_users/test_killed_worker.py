"""A results worker that is killed while it holds reports, on a Redis with its users."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from grader.core.records import BatchPhase
from tests.grader.played import really_played
from tests.support.deployment import Deployment
from tests.support.graders import a_signer, signed
from tests.support.jobs import request_of
from tests.support.processes import wait_until
from tests.support.redis_server import RedisWithUsers
from tests.webapp import fakes
from webapp.celery import app
from webapp.evaluations.models import Evaluation, Status
from webapp.graders.services import admit_key
from webapp.jobs.models import Job

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@contextmanager
def locked() -> Iterator[None]:
    """Hold the database's one lock for writers: nothing is recorded."""
    file = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def send_in_parts(job: Job, count: int) -> None:
    """Report the games of a job, which is played, in so many reports."""
    games = really_played(request_of(job))
    size = len(games) // count
    with app.connection_for_write() as broker:
        for part in range(count):
            phase = BatchPhase.DONE if part == count - 1 else BatchPhase.PLAYING
            results = games[part * size : (part + 1) * size]
            text = signed(fakes.report(job, phase, results), "record_batch")
            app.send_task("webapp.record_batch", [text], queue="results", connection=broker)


def test_what_a_killed_worker_held_is_recorded_and_no_game_is_played_again(
    graded: Evaluation, site: Deployment, redis_server: RedisWithUsers
) -> None:
    admit_key(public_key=a_signer().public_key, name="host", at=timezone.now())
    (job,) = fakes.jobs(graded)
    send_in_parts(job, 4)
    past = timezone.now() - timedelta(minutes=1)
    Job.objects.filter(pk=job.pk).update(sent_at=past, lease_until=past)
    with redis_server.client() as client:
        lengths = lambda: [client.llen(key) for key in client.scan_iter("results.held.*")]  # noqa: E731 - of this client
        with locked():
            site.results.start()
            wait_until(lambda: lengths() == [3], why="the worker holds no reports")
            site.results.kill()
        client.delete(*client.scan_iter("results.alive.*"))  # as Redis does after some time
        site.results.start()
        wait_until(
            lambda: Evaluation.objects.filter(pk=graded.pk, status=Status.FINISHED).exists(),
            why="the reports are not recorded",
        )
    assert list(Job.objects.values_list("attempt", "losses").filter(evaluation=graded)) == [(1, 0)]
    assert graded.results.count() == graded.n_games
