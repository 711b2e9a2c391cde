"""A results worker takes the reports that wait behind its own, and no other message."""

import json
from base64 import b64decode
from types import SimpleNamespace
from typing import Any, cast

import pytest
import redis
from celery import Task

from webapp.celery import RESEND_LOST_JOBS, app
from webapp.jobs.reports import RECORD_BATCH, waiting_reports

pytestmark = pytest.mark.redis


@pytest.fixture(autouse=True)
def _broker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_url", redis_url)
    monkeypatch.setattr(app, "_pool", None)


def send(*names: str) -> None:
    """Fill the queue of results: reports are numbered, other messages are named."""
    with app.connection_for_write() as connection:
        for name in names:
            task, arguments = (RECORD_BATCH, [name]) if name.isdigit() else (name, [])
            app.send_task(task, arguments, queue="results", connection=connection)


def waiting(redis_url: str) -> list[str]:
    """Return what the queue holds now, what is taken next first."""
    with redis.Redis.from_url(redis_url) as client:
        messages = [json.loads(item) for item in reversed(client.lrange("results", 0, -1))]  # type: ignore[arg-type]  # stubs
    bodies = [json.loads(b64decode(message["body"])) for message in messages]
    names = [message["headers"]["task"] for message in messages]
    return [body[0][0] if body[0] else name for body, name in zip(bodies, names, strict=True)]


def taken(redis_url: str) -> int:
    """Return how many messages are taken and not acknowledged."""
    with redis.Redis.from_url(redis_url) as client:
        return int(cast("int", client.zcard("results.unacked_index")))


def task_from(queue: str) -> "Task[..., None]":
    """A running task that was taken from a queue."""
    request = SimpleNamespace(delivery_info={"routing_key": queue})
    return cast("Task[..., None]", SimpleNamespace(request=request))


def test_they_are_taken_up_to_the_first_other_message(redis_url: str) -> None:
    send("1", "2", RESEND_LOST_JOBS, "3")
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports == ["1", "2"]
        assert taken(redis_url) == 2
    assert taken(redis_url) == 0
    assert waiting(redis_url) == [RESEND_LOST_JOBS, "3"]


def test_unrecorded_reports_go_back_in_their_order(redis_url: str) -> None:
    send("1", "2", "3")
    with pytest.raises(ZeroDivisionError), waiting_reports(task_from("results"), "0"):
        raise ZeroDivisionError
    assert (waiting(redis_url), taken(redis_url)) == (["1", "2", "3"], 0)


def test_large_reports_are_taken_one_by_one(redis_url: str) -> None:
    send("1", "2")
    with waiting_reports(task_from("results"), "0" * 200_001) as reports:
        assert reports == []
    assert waiting(redis_url) == ["1", "2"]


def test_a_verdict_waits_for_no_report(redis_url: str) -> None:
    send("1")
    with waiting_reports(task_from("verdicts"), "0") as reports:
        assert reports == []


def test_a_report_that_is_tried_again_later_is_left(redis_url: str) -> None:
    with app.connection_for_write() as connection:
        options: dict[str, Any] = {"queue": "results", "connection": connection}
        app.send_task(RECORD_BATCH, ["1"], countdown=60, **options)
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports == []
    assert waiting(redis_url) == ["1"]


def test_a_broker_that_is_away_keeps_no_report_from_being_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports == []
