"""Batches through a real broker: sent once it is there, fast to give up when it is not."""

import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone
from kombu import Producer
from pytest_django import DjangoCaptureOnCommitCallbacks

from grader.core.records import BatchRequest, from_json
from grader.uploads.store import StoreUnavailable
from tests.support.graders import GRADER_KEY, a_report, a_signer, signed
from tests.support.idle_grader import PASSED_OVER, PLAYED
from tests.support.jobs import make_unreadable, request_of
from tests.support.pages import text_of
from tests.support.processes import (
    PATIENCE_SECONDS,
    START_SECONDS,
    Program,
    wait_until,
    without_site,
)
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_redis
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.celery import app
from webapp.flow import tasks
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import cancel, grade_team
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs import broker
from webapp.grading.jobs.leases import resend_lost_jobs
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.releasing import release, release_wanted
from webapp.grading.jobs.sending import send
from webapp.grading.operations.services import record_grader
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Team

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("redis_url")]

NOBODY = "redis://127.0.0.1:1/0"
"""Where no Redis ever listens."""


@pytest.fixture
def graded(graded: Evaluation) -> Evaluation:
    """It waits alone."""
    Job.objects.exclude(evaluation=graded).cancel()
    return graded


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


def messages(queue: str) -> list[BatchRequest]:
    found = []
    with app.connection_for_read() as connection, connection.SimpleQueue(queue) as waiting:
        for _ in range(waiting.qsize()):
            message = waiting.get(timeout=PATIENCE_SECONDS)
            message.ack()
            args, _, _ = message.payload
            assert message.headers["task"] == "grader.play_batch"
            found.append(from_json(args[0], BatchRequest))
    return found


def test_a_request_is_in_its_queue_after_the_commit(
    team: Team,
    ida: User,
    ready: Callable[..., Submission],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    ready(team)
    with django_capture_on_commit_callbacks(execute=True):
        evaluation = grade_team(team=team, by=ida, at=NOW)
    release_wanted()
    request, practice = messages("graded")
    assert practice.evaluation != request.evaluation == str(evaluation.uuid)
    assert [game.index for game in request.games] == list(range(20))
    assert fakes.jobs(evaluation)[0].sent_at is not None


def test_a_job_whose_request_cannot_be_made_keeps_no_other_from_being_sent(
    graded: Evaluation, smoke: Evaluation, caplog: pytest.LogCaptureFixture
) -> None:
    smoke.jobs.update(status=JobStatus.QUEUED)
    make_unreadable(graded)
    (unreadable,), (other,) = fakes.jobs(graded), fakes.jobs(smoke)
    assert send([unreadable, other]) == 1
    assert (broker.waiting("graded"), broker.waiting("smoke")) == (0, 1)
    assert str(unreadable.uuid) in caplog.text


def test_work_waits_until_a_grader_has_its_image(
    graded: Evaluation, client: Client, ida: User
) -> None:
    without, other = a_report(missing_images=("python",)), a_report(missing_images=("java",))
    record_grader(without, key=GRADER_KEY)
    assert release() == 0
    client.force_login(ida)
    words = "image for Python class is still being built. Nothing is lost"
    assert words in text_of(client.get(f"/evaluations/{graded.uuid}/live/"))
    record_grader(replace(other, name="games@another"), key=GRADER_KEY)  # one of two has it
    assert release() == 0  # not at once: the job is looked at again some seconds later
    assert release(at=timezone.now() + timedelta(seconds=10)) == 1
    assert words not in text_of(client.get(f"/evaluations/{graded.uuid}/live/"))


def test_games_of_a_package_wait_for_a_grader_that_has_their_version(
    graded: Evaluation, client: Client, ida: User
) -> None:
    assignment = graded.assignment
    assignment.game_version = "1-0123456789abcdef"
    assignment.save()
    (job,) = fakes.jobs(graded)
    assert request_of(job).game_version == assignment.game_version
    other = a_report(games={assignment.game: "2-0123456789abcdef"})
    record_grader(other, key=GRADER_KEY)
    assert release() == 0
    client.force_login(ida)
    words = "No grader has Hanabi 1-0123456789abcdef yet. Nothing is lost"
    assert words in text_of(client.get(f"/evaluations/{graded.uuid}/live/"))
    has = a_report(name="games@another", games={assignment.game: assignment.game_version})
    record_grader(has, key=GRADER_KEY)
    assert release(at=timezone.now() + timedelta(seconds=10)) == 1


def test_a_job_that_another_process_has_just_sent_is_skipped(
    graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have looked before either sends."""
    producer = broker.producer

    def producer_after_another() -> AbstractContextManager[Producer]:
        monkeypatch.setattr(broker, "producer", producer)
        assert release() == 1
        return producer()

    monkeypatch.setattr(broker, "producer", producer_after_another)
    assert release() == 0
    assert broker.waiting("graded") == 1


def test_without_a_broker_a_request_keeps_its_rows_and_returns_at_once(
    graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", NOBODY)
    with within(20):
        assert release() == 0
    assert fakes.jobs(graded)[0].sent_at is None


def test_a_broker_that_does_not_answer_is_given_up_within_seconds(
    graded: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, within(40):
        port = silent.getsockname()[1]
        monkeypatch.setattr(app.conf, "broker_url", f"redis://127.0.0.1:{port}/0")
        assert release() == 0
    assert fakes.jobs(graded)[0].sent_at is None


def test_a_batch_that_a_full_broker_refuses_is_sent_when_there_is_room(
    graded: Evaluation, redis_url: str
) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("maxmemory", "1")
        try:
            assert release() == 0
        finally:
            client.config_set("maxmemory", "0")
    assert fakes.jobs(graded)[0].sent_at is None
    assert release() == 1


def test_the_periodic_task_sends_what_the_request_could_not(
    graded: Evaluation, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", NOBODY)
    assert resend_lost_jobs(at=NOW + timedelta(minutes=1)) == 0
    monkeypatch.setattr(app.conf, "broker_url", redis_url)
    resend_lost_jobs(at=NOW + timedelta(minutes=1))
    assert [request.evaluation for request in messages("graded")] == [str(graded.uuid)]


def test_batches_that_a_killed_broker_forgot_come_back(
    graded: Evaluation, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", redis_server.url)
    release()
    redis_server.kill()
    redis_server.start()
    redis_server.clear()  # as a Redis without persistence would come back
    now = timezone.now()
    assert resend_lost_jobs(at=now) == 0
    assert resend_lost_jobs(at=now + timedelta(seconds=61)) == 1
    assert resend_lost_jobs(at=now + timedelta(seconds=70)) == 0
    (request,) = messages("graded")
    assert len(request.games) == 20
    assert (fakes.jobs(graded)[0].attempt, fakes.jobs(graded)[0].losses) == (1, 1)


def test_a_long_wait_in_the_queue_multiplies_nothing(graded: Evaluation) -> None:
    release()
    for hour in range(5):
        assert resend_lost_jobs(at=timezone.now() + timedelta(hours=hour)) == 0
    assert broker.waiting("graded") == 1


@pytest.fixture
def grader(redis_url: str, tmp_path: Path) -> Iterator[Program]:
    """A worker that only notes what it would play; it does not run yet."""
    options = ("--pool", "solo", "--queues", "graded")
    celery = [sys.executable, "-m", "celery", "--app", "tests.support.idle_grader", "worker"]
    environment = {**without_site(), "FIREBOX_BROKER_URL": redis_url}
    program = Program("grader", [*celery, "--loglevel=INFO", *options], environment, tmp_path)
    try:
        yield program
    finally:
        program.stop()


def test_graders_pass_over_what_was_cancelled(
    graded: Evaluation, ida: User, grader: Program, redis_url: str
) -> None:
    release()
    cancel(evaluation=graded, by=ida)
    assert graded.submission is not None
    again = grade_team(team=graded.submission.team, by=ida)
    release()
    resend_lost_jobs()
    with site_redis(redis_url, decode_responses=True) as client:
        grader.start()
        wait_until(
            lambda: client.llen(PLAYED) == 1, seconds=START_SECONDS, why="nothing was played"
        )
        assert client.lrange(PLAYED, 0, -1) == [str(fakes.jobs(again)[0].uuid)]
        assert client.llen(PASSED_OVER) == 1
    assert broker.waiting("graded") == 0


GARBAGE = [
    "nonsense",
    "[]",
    "{}",
    '{"body": "bm9uc2Vuc2U=", "properties": {}, "headers": {}}',
    "\x00\xff",
    "[" * 100_000,
    '{"properties": {"delivery_tag": "x", "delivery_info": {}, "body_encoding": "base64"}}',
]


def test_nothing_in_a_queue_ends_a_worker(
    graded: Evaluation, grader: Program, redis_url: str
) -> None:
    with site_redis(redis_url, decode_responses=True) as client:
        for item in GARBAGE:
            client.lpush("graded", item)
        release()
        grader.start()
        wait_until(
            lambda: client.llen(PLAYED) == 1, seconds=START_SECONDS, why="nothing was played"
        )
    assert grader.is_running
    assert broker.waiting("graded") == 0
    aside = broker.aside()
    assert [message.text[:50] for message in reversed(aside)] == [item[:50] for item in GARBAGE]
    assert {message.queue for message in aside} == {"graded"}
    assert all(message.why for message in aside)


@contextmanager
def nonsense_taken(redis_url: str) -> Iterator[tuple[redis.Redis, Any]]:
    """Have a message that was taken long ago, and made nonsense; yield Redis and Kombu's QoS."""
    with (
        site_redis(redis_url, decode_responses=True) as client,
        app.connection_for_read() as connection,
    ):
        client.hset("results.unacked", "tag", "nonsense")
        client.zadd("results.unacked_index", {"tag": 1.0})
        yield client, connection.default_channel.qos  # type: ignore[attr-defined]  # stubs


def test_a_message_that_was_taken_and_made_nonsense_is_not_given_back(redis_url: str) -> None:
    with nonsense_taken(redis_url) as (client, qos):
        qos.restore_by_tag("tag")
        assert not client.exists("results.unacked", "results.unacked_index")
    assert [message.text for message in broker.aside()] == ["nonsense"]


def test_messages_are_given_back_by_one_consumer_at_a_time(redis_url: str) -> None:
    with nonsense_taken(redis_url) as (client, qos):
        client.set(qos.unacked_mutex_key, "another")
        qos.restore_visible(interval=1)
        assert client.exists("results.unacked")
        client.delete(qos.unacked_mutex_key)
        qos.restore_visible(interval=1)
        assert not client.exists("results.unacked", qos.unacked_mutex_key)


def test_a_report_that_is_refused_is_set_aside(graded: Evaluation) -> None:
    tasks.record_batch("nonsense")
    tasks.record_audit("nonsense")
    (batch,) = fakes.jobs(graded)
    wrong = fakes.report(batch, results=fakes.played(request_of(batch), only=[3]))
    record = replace(wrong.results[0].record, deal_seed="0" * 64)
    wrong = replace(wrong, results=(replace(wrong.results[0], record=record),))
    admit_key(public_key=a_signer().public_key, name="host", at=NOW)
    tasks.record_batch(signed(wrong, "record_batch"))
    whys = [message.why for message in broker.aside()]
    assert len(whys) == 3
    assert whys[0].startswith("game 3 was played with another deal")
    graded.refresh_from_db()
    assert graded.games_done == 0
    broker.forget_aside()
    assert broker.aside() == []


def test_a_report_that_waits_for_the_store_is_recorded_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A smoke test's last report asks for practice, whose opponents are put into the store."""
    tries: list[object] = []

    def record(texts: object) -> None:
        tries.append(texts)
        if len(tries) == 1:
            raise StoreUnavailable("no route to host")

    monkeypatch.setattr(tasks, "record_reports", record)
    tasks.record_batch.apply(["report"])
    assert tries == [["report"], ["report"]]
