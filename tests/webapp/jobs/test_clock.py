"""The periodic tasks are sent by one results worker at a time, and never silently not at all."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery.app.task import Context
from celery.signals import task_unknown
from celery.worker import state

from tests.support.processes import PATIENCE_SECONDS, wait_until
from tests.support.site_redis import site_redis
from webapp.base.celery import (
    NOTE_RESULTS,
    PERIODIC,
    RELEASE_JOBS,
    RESEND_LOST_JOBS,
    SITE_QUEUES,
    app,
)
from webapp.grading.jobs import broker
from webapp.grading.jobs.clock import Clock, send_due_tasks
from webapp.grading.jobs.obsolete import SiteTask, is_obsolete

EVERY_MINUTE = {"webapp.resend_lost_jobs": 60.0}


class Running:
    """A task of a worker, as far as its state is concerned."""

    id = "one"
    name = "webapp.resend_lost_jobs"

    def __init__(self, seconds: float = 0) -> None:
        self.time_start = time.time() - seconds


@pytest.fixture
def running() -> Iterator[Callable[[float], Running]]:
    """Has a task run in this worker that began that many seconds ago."""
    tasks: list[Running] = []

    def run(seconds: float) -> Running:
        tasks.append(Running(seconds))
        state.task_accepted(tasks[-1])
        return tasks[-1]

    yield run
    for task in tasks:
        state.task_ready(task)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_of_two_workers_one_sends_the_due_tasks() -> None:
    assert [send_due_tasks(EVERY_MINUTE) for _ in range(2)] == [list(EVERY_MINUTE), []]
    assert broker.waiting("results") == 1


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_the_next_turn_is_free_when_the_time_is_over() -> None:
    brief = {"webapp.resend_lost_jobs": 0.05}
    send_due_tasks(brief)
    wait_until(lambda: bool(send_due_tasks(brief)), why="the turn is never free")


@pytest.fixture
def turn(redis_url: str) -> Iterator[Callable[[], int]]:
    """Looks when 5 s are left of a turn; returns the milliseconds that are left afterwards."""
    (name,) = EVERY_MINUTE
    with site_redis(redis_url) as client:

        def look() -> int:
            client.set(f"firebox.turn.{name}", "taken", px=5_000)
            assert send_due_tasks(EVERY_MINUTE) == []
            return int(client.pttl(f"firebox.turn.{name}"))

        yield look


@pytest.mark.redis
def test_a_task_that_runs_is_not_sent_until_its_time_is_over_again(
    turn: Callable[[], int], running: Callable[[float], Running]
) -> None:
    """Where one worker serves all queues, it would never get to the last one."""
    task = running(0)
    assert send_due_tasks(EVERY_MINUTE) == []
    assert turn() > 30_000
    state.task_ready(task)
    assert turn() <= 5_000


@pytest.mark.redis
def test_a_task_that_hangs_loses_its_turn_after_ten_periods(
    turn: Callable[[], int], running: Callable[[float], Running]
) -> None:
    """Another worker then goes on."""
    running(601)
    assert turn() <= 5_000
    running(570)
    assert turn() > 30_000


def test_a_task_with_a_short_period_keeps_its_turn_for_a_minute(
    running: Callable[[float], Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[set[str]] = []
    monkeypatch.setattr(broker, "take_turns", lambda _, kept: looks.append(kept) or [])
    brief = {Running.name: 2.0}
    running(61)
    send_due_tasks(brief)
    running(30)
    send_due_tasks(brief)
    assert looks == [set(), {Running.name}]


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_tasks_that_change_during_a_look_do_not_end_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock's thread reads what the main thread writes."""
    requests = {Running()}

    class Changing(set[Running]):
        def __iter__(self) -> Iterator[Running]:
            for request in requests:
                requests.add(Running())
                yield request

    monkeypatch.setattr(state, "active_requests", Changing())
    assert send_due_tasks(EVERY_MINUTE) == list(EVERY_MINUTE)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_no_turn_is_longer_for_a_clock_that_is_set_back(redis_url: str) -> None:
    """Redis keeps the time of a key's end, and would send nothing for this hour."""
    (name,) = EVERY_MINUTE
    with site_redis(redis_url) as client:
        client.set(f"firebox.turn.{name}", "taken", px=3_600_000)
        assert send_due_tasks(EVERY_MINUTE) == []
        assert client.pttl(f"firebox.turn.{name}") <= 60_000


def test_the_task_behind_reports_outlives_a_backlog_of_minutes_but_not_a_night(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without it nothing is sent again, and graders lose their admission after an hour."""
    lives: dict[str, float | None] = {}
    monkeypatch.setattr(broker, "take_turns", lambda periodic, _: list(periodic))
    monkeypatch.setattr(
        app,
        "send_task",
        lambda name, _, **how: lives.update({name: how["headers"].get(broker.OBSOLETE_AT)}),
    )
    monkeypatch.setattr(broker, "now", lambda: 0.0)
    send_due_tasks(PERIODIC)
    life = lives[RESEND_LOST_JOBS]
    assert life is not None
    assert 600 <= life < 3600
    assert lives[RELEASE_JOBS] == PERIODIC[RELEASE_JOBS]


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_a_message_with_a_task_of_another_version_is_set_aside() -> None:
    message = SimpleNamespace(body=b'[["a report"], {}, {}]', headers={"expires": None})
    task_unknown.send(None, name="webapp.record_more", message=message)
    (kept,) = broker.aside()
    assert "no task of this version is called webapp.record_more" in kept.why
    assert "a report" in kept.text


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_a_periodic_task_of_another_version_is_passed_over() -> None:
    message = SimpleNamespace(body=b"[[], {}, {}]", headers={broker.OBSOLETE_AT: 1.5})
    task_unknown.send(None, name="webapp.sweep_more", message=message)
    assert broker.aside() == []


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_a_periodic_message_carries_no_time_of_the_senders_clock(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Celery's ``expires`` would be compared with the clock of the receiving host."""
    there = broker.now()
    monkeypatch.setattr(time, "time", lambda: there + 3600)
    send_due_tasks({RELEASE_JOBS: 2.0, NOTE_RESULTS: 10.0})
    with site_redis(redis_url) as client:
        messages = [
            json.loads(item) for queue in SITE_QUEUES for item in client.lrange(queue, 0, -1)
        ]
    assert len(messages) == 2
    assert {message["headers"]["expires"] for message in messages} == {None}
    (obsolete_at,) = filter(None, (m["headers"].get(broker.OBSOLETE_AT) for m in messages))
    assert obsolete_at == pytest.approx(there + 2, abs=1.5)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
@pytest.mark.parametrize(("left", "runs"), [(1.0, ["done"]), (-1.0, []), (None, ["done"])])
@pytest.mark.parametrize("skew", [-3600, 0, 3, 3600])
def test_a_message_is_obsolete_by_the_brokers_clock_alone(
    left: float | None, runs: list[str], skew: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    periodic = type("Periodic", (SiteTask,), {"name": "p", "run": lambda _: done.append("done")})()
    periodic.bind(app)
    there = broker.now()
    monkeypatch.setattr(time, "time", lambda: there + skew)
    obsolete_at = None if left is None else there + left
    periodic.push_request(**{broker.OBSOLETE_AT: obsolete_at})
    try:
        periodic()
    finally:
        periodic.pop_request()
    assert done == runs


def test_a_task_is_done_while_nobody_knows_the_brokers_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    assert not is_obsolete(Context({broker.OBSOLETE_AT: 1.0, "task": "webapp.release_jobs"}))


def test_a_broker_that_is_away_is_waited_for_with_a_sign_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_ALIVE_FILE", str(tmp_path / "alive"))
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
    assert tmp_path.joinpath("alive").exists()


def test_a_clock_that_fails_ends_its_worker() -> None:
    ended = threading.Event()

    def broken(_: Mapping[str, float]) -> list[str]:
        raise ZeroDivisionError

    Clock({}, send=broken, fail=ended.set, poll_seconds=0.001).start()
    assert ended.wait(PATIENCE_SECONDS)
