"""A results worker takes the reports that wait behind its own, and no other message."""

import json
from base64 import b64decode
from types import SimpleNamespace
from typing import Any, cast

import pytest
from celery import Task

from tests.support.site_redis import site_redis
from webapp.base.celery import RESEND_LOST_JOBS, app
from webapp.grading.jobs import holds, inbox
from webapp.grading.jobs.holds import Hold, all_dealt_with
from webapp.grading.jobs.reports import RECORD_BATCH, waiting_reports

pytestmark = pytest.mark.redis


@pytest.fixture(autouse=True)
def _broker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_pool", None)


def send(*names: str) -> None:
    """Fill the queue of results: with reports, and with other messages by their tasks."""
    with app.connection_for_write() as connection:
        for name in names:
            is_report = not name.startswith("webapp.")
            task, arguments = (RECORD_BATCH, [name]) if is_report else (name, [])
            app.send_task(task, arguments, queue="results", connection=connection)


def waiting(redis_url: str) -> list[str]:
    """Return what the queue holds now, what is taken next first."""
    with site_redis(redis_url) as client:
        return named(client.lrange("results", 0, -1))


def held(redis_url: str) -> list[str]:
    """Return what tasks have taken and not dealt with, what was taken first first."""
    with site_redis(redis_url) as client:
        return [
            name
            for key in client.scan_iter("results.held.*")
            for name in named(client.lrange(key, 0, -1))
        ]


def named(items: Any) -> list[str]:
    messages = [json.loads(item) for item in reversed(items)]
    bodies = [json.loads(b64decode(message["body"])) for message in messages]
    names = [message["headers"]["task"] for message in messages]
    return [body[0][0] if body[0] else name for body, name in zip(bodies, names, strict=True)]


def let_die(redis_url: str) -> None:
    """Have Redis forget that any task is alive, as it does when a hold is not renewed."""
    with site_redis(redis_url) as client:
        client.delete(*client.scan_iter("results.alive.*"))


def task_from(queue: str) -> "Task[..., None]":
    """A running task that was taken from a queue."""
    properties = {"delivery_tag": "own"}
    request = SimpleNamespace(delivery_info={"routing_key": queue}, properties=properties)
    return cast("Task[..., None]", SimpleNamespace(request=request))


def test_waiting_reports_are_taken_up_to_the_first_other_message(redis_url: str) -> None:
    send("1", "2", RESEND_LOST_JOBS, "3")
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports.texts == ["1", "2"]
        assert held(redis_url) == ["1", "2"]
    with site_redis(redis_url) as client:
        assert list(client.scan_iter("results.*")) == []
    assert waiting(redis_url) == [RESEND_LOST_JOBS, "3"]


def test_unrecorded_reports_go_back_in_their_order(redis_url: str) -> None:
    send("1", "2", "3")
    with pytest.raises(ZeroDivisionError), waiting_reports(task_from("results"), "0"):
        raise ZeroDivisionError
    assert (waiting(redis_url), held(redis_url)) == (["1", "2", "3"], [])


def test_large_reports_are_taken_one_by_one(redis_url: str) -> None:
    send("1", "2")
    with waiting_reports(task_from("results"), "0" * 200_001) as reports:
        assert reports.texts == []
    assert waiting(redis_url) == ["1", "2"]


def test_a_verdict_waits_for_no_report(redis_url: str) -> None:
    send("1")
    with waiting_reports(task_from("verdicts"), "0") as reports:
        assert reports.texts == []


def test_a_report_that_is_tried_again_later_is_left(redis_url: str) -> None:
    with app.connection_for_write() as connection:
        options: dict[str, Any] = {"queue": "results", "connection": connection}
        app.send_task(RECORD_BATCH, ["1"], countdown=60, **options)
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports.texts == []
    assert waiting(redis_url) == ["1"]


def test_a_broker_that_is_away_keeps_no_report_from_being_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports.texts == []


def test_what_a_dead_worker_held_is_first_in_the_queue_again(redis_url: str) -> None:
    send("own", "1", "2", "3")
    with site_redis(redis_url) as client:
        item = cast("bytes", client.rpop("results"))  # as Celery takes it
        client.hset("results.unacked", "own", b'[%b, "", "results"]' % item)
        client.zadd("results.unacked_index", {"own": 1.0})
        hold = Hold(queue="results", name="a task", tag="own")
        assert len(hold.take(client, 2)) == 2
    let_die(redis_url)
    assert not all_dealt_with("results")
    assert waiting(redis_url) == ["own", "1", "2", "3"]
    assert all_dealt_with("results")
    with site_redis(redis_url) as client:
        assert list(client.scan_iter("results.*")) == []


def test_what_a_living_worker_holds_is_waited_for_and_left_to_it(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holds, "_PATIENCE_SECONDS", 0.0)
    send("1")
    with waiting_reports(task_from("results"), "0"):
        assert not all_dealt_with("results")
        assert held(redis_url) == ["1"]
    assert all_dealt_with("results")


def test_a_dead_worker_lives_no_longer_for_a_clock_that_is_set_back(redis_url: str) -> None:
    """Redis keeps the time of a key's end, and no lease would run out for this hour."""
    hold = Hold(queue="results", name="a task", tag="own")
    with site_redis(redis_url) as client:
        client.set("results.alive.a task", 1, ex=3600)
        assert hold.is_alive(client)
        assert client.ttl("results.alive.a task") <= holds.ALIVE_SECONDS


def test_a_worker_that_tries_again_stays_alive(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "ALIVE_SECONDS", 0)
    send("1")
    with waiting_reports(task_from("results"), "0") as reports:
        let_die(redis_url)
        reports.keep()
        monkeypatch.setattr(holds, "_PATIENCE_SECONDS", 0.0)
        assert not all_dealt_with("results")
        assert waiting(redis_url) == []


def test_a_worker_that_was_taken_for_dead_disturbs_nobody(redis_url: str) -> None:
    send("1", "2")
    with waiting_reports(task_from("results"), "0") as reports:
        assert reports.texts == ["1", "2"]
        let_die(redis_url)
        assert not all_dealt_with("results")
    assert waiting(redis_url) == ["1", "2"]
    assert all_dealt_with("results")
