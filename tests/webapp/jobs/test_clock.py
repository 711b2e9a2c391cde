"""The periodic tasks are sent by one results worker at a time, and never silently not at all."""

import threading
import time
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
import redis
from celery.signals import task_unknown
from celery.worker import state

from tests.support.processes import PATIENCE_SECONDS, wait_until
from webapp.celery import app
from webapp.jobs import broker
from webapp.jobs.clock import Clock, send_due_tasks

EVERY_MINUTE = {"webapp.resend_lost_jobs": 60.0}


class Running:
    """A task of a worker, as far as its state is concerned."""

    id = "one"
    name = "webapp.resend_lost_jobs"


@pytest.fixture
def _broker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_url", redis_url)


@pytest.mark.redis
@pytest.mark.usefixtures("_broker")
def test_of_two_workers_one_sends_the_due_tasks() -> None:
    assert [send_due_tasks(EVERY_MINUTE) for _ in range(2)] == [list(EVERY_MINUTE), []]
    assert broker.waiting("results") == 1


@pytest.mark.redis
@pytest.mark.usefixtures("_broker")
def test_the_next_turn_is_free_when_the_time_is_over() -> None:
    brief = {"webapp.resend_lost_jobs": 0.05}
    send_due_tasks(brief)
    wait_until(lambda: bool(send_due_tasks(brief)), why="the turn is never free")


@pytest.mark.redis
@pytest.mark.usefixtures("_broker")
def test_a_task_that_runs_is_not_sent_until_its_time_is_over_again() -> None:
    """Where one worker serves all queues, it would never get to the last one."""
    brief = {"webapp.resend_lost_jobs": 0.2}
    task = Running()
    state.task_accepted(task)
    began = time.monotonic()
    assert send_due_tasks(brief) == []
    while time.monotonic() - began < 0.4:
        assert send_due_tasks(brief) == []
    ended = time.monotonic()
    state.task_ready(task)
    wait_until(lambda: bool(send_due_tasks(brief)), why="the turn is never free")
    assert time.monotonic() - ended > 0.1


@pytest.mark.redis
@pytest.mark.usefixtures("_broker")
def test_no_turn_is_longer_for_a_clock_that_is_set_back(redis_url: str) -> None:
    """Redis keeps the time of a key's end, and would send nothing for this hour."""
    (name,) = EVERY_MINUTE
    with redis.Redis.from_url(redis_url) as client:
        client.set(f"firebox.turn.{name}", "taken", px=3_600_000)
        assert send_due_tasks(EVERY_MINUTE) == []
        assert client.pttl(f"firebox.turn.{name}") <= 60_000


@pytest.mark.redis
@pytest.mark.usefixtures("_broker")
def test_a_message_with_a_task_of_another_version_is_set_aside() -> None:
    message = SimpleNamespace(body=b'[["a report"], {}, {}]')
    task_unknown.send(None, name="webapp.record_more", message=message)
    (kept,) = broker.aside()
    assert "no task of this version is called webapp.record_more" in kept.why
    assert "a report" in kept.text


def test_a_broker_that_is_away_is_waited_for() -> None:
    tried = threading.Semaphore(0)

    def away(_: Mapping[str, float]) -> list[str]:
        tried.release()
        raise broker.BrokerError("connection refused")

    clock = Clock({}, send=away, fail=lambda: None, poll_seconds=0.001)
    clock.start()
    assert all(tried.acquire(timeout=PATIENCE_SECONDS) for _ in range(3))
    clock.stop()
    clock.join(PATIENCE_SECONDS)
    assert not clock.is_alive()


def test_a_clock_that_fails_ends_its_worker() -> None:
    ended = threading.Event()

    def broken(_: Mapping[str, float]) -> list[str]:
        raise ZeroDivisionError

    Clock({}, send=broken, fail=ended.set, poll_seconds=0.001).start()
    assert ended.wait(PATIENCE_SECONDS)
