"""A thief of a grader's login at the broker, against the site's own worker.

The users of a deployment's Redis are real, and so is the worker that reads reports.
"""

from statistics import fmean

import pytest

from grader.broker.signing import Signer
from grader.core.records import BatchReport
from tests.grader.played import really_played
from tests.support.deployment import Deployment
from tests.support.graders import a_signer, signed
from tests.support.idle_grader import app as grader
from tests.support.jobs import request_of
from tests.support.processes import START_SECONDS, wait_until
from tests.support.redis_server import RedisWithUsers
from tests.support.site_redis import site_redis
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.gradebook.models import Grade
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs import broker

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OURS, TAKEN, STRANGER = (a_signer(number) for number in (1, 2, 3))
GARBAGE = ("nonsense", "[]", "{}", "\x00", "[" * 100_000)


def send(report: BatchReport, *, by: Signer, server: RedisWithUsers) -> None:
    text = signed(report, "record_batch", by=by)
    with grader.connection_for_write(url=server.stolen_url) as connection:
        grader.send_task(
            "webapp.record_batch", args=[text], queue="results", declare=(), connection=connection
        )


def test_a_stolen_login_changes_no_grade_and_ends_no_worker_of_the_sites(
    graded: Evaluation, site: Deployment, redis_server: RedisWithUsers
) -> None:
    for signer, name in ((OURS, "ours"), (TAKEN, "taken")):
        admit_key(public_key=signer.public_key, name=name, at=NOW)
    (batch,) = fakes.jobs(graded)
    request = request_of(batch)
    perfect = fakes.report(batch, results=fakes.played(request, lambda _: 25))
    games = really_played(request)
    assert broker.waiting("results") == 0  # Redis is the site's from now on
    with site_redis(redis_server.stolen_url) as thief:
        for item in GARBAGE:
            thief.lpush("results", item)
            thief.lpush("verdicts", item)
    send(perfect, by=STRANGER, server=redis_server)
    send(perfect, by=TAKEN, server=redis_server)
    send(fakes.report(batch, results=games), by=OURS, server=redis_server)
    site.results.start()
    wait_until(
        lambda: Evaluation.objects.filter(pk=graded.pk, status=Status.FINISHED).exists(),
        seconds=START_SECONDS,
        why="the true report was not recorded",
    )
    assert site.results.is_running
    graded.refresh_from_db()
    assert graded.mean == pytest.approx(fmean(game.record.scores[0] for game in games))
    assert Grade.objects.get().evaluation == graded
    refused = 2 * len(GARBAGE) + 2
    wait_until(lambda: len(broker.aside()) >= refused, why="a message was not set aside")
    whys = [message.why for message in broker.aside()]
    assert len(whys) == refused
    assert "a report of a grader that is not admitted" in whys
    assert any(why.startswith("game 0: ") for why in whys), whys
