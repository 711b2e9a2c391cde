"""The clock of the site: a thread in every results worker; one of them sends a task that is due.

A turn is a key in Redis that expires: the worker that sets it sends the task.

The task waits behind the reports that came before it, so that a backlog of reports never looks like
silence. Ticks that grew old while no worker ran are dropped, after longer than a backlog lasts:
graders lose their admission if no tick runs for an hour. The release of jobs does not wait.

Whether a task is obsolete is judged by the broker's time, when it is sent and when it is received:
clocks of hosts differ, and Celery's ``expires`` is the sender's clock read by the receiver's.

The turn of a task that runs is prolonged by its worker. A hung task loses its turn after ten
periods.

If the thread fails, so does its worker: systemd, Docker or Kubernetes start it again.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from celery.signals import task_unknown, worker_ready, worker_shutting_down
from celery.worker import state

from grader.broker.liveness import touch_alive_file
from webapp.base.celery import (
    NOTE_RESULTS,
    PERIODIC,
    RESEND_LOST_JOBS,
    RESULTS_QUEUE,
    app,
)
from webapp.grading.jobs import broker

logger = logging.getLogger(__name__)

_POLL_SECONDS: Final = 0.25
_LOOKS_A_TURN: Final = 4
_PERIODS_OF_A_TURN: Final = 10
_LONGEST_TURN_AT_LEAST: Final = 60.0
"""Seconds for which even a task with a short period may keep its turn."""
_SECONDS_BEHIND_REPORTS: Final = 900.0


# See webapp/decisions/periodic-task.md
def send_due_tasks(periodic: Mapping[str, float]) -> list[str]:
    """Send the tasks whose turn is free, and return their names. Raises BrokerError."""
    due = broker.take_turns(periodic, _prolonged(periodic))
    sent_at = broker.now() if due else 0.0
    for name in due:
        arguments = [f"{sent_at:.3f}"] if name == NOTE_RESULTS else []
        headers = broker.obsolete_after(_expiry(name, periodic), sent_at=sent_at)
        app.send_task(name, arguments, headers=headers, retry=False)
    return due


def _prolonged(periodic: Mapping[str, float]) -> set[str]:
    now = time.time()
    try:
        requests = tuple(state.active_requests)
    except RuntimeError:  # the main thread changed the set just now; the next look is near
        return set()
    return {
        request.name
        for request in requests
        if request.name in periodic
        and abs(now - (request.time_start or now)) < _longest_turn(periodic[request.name])
    }


def _longest_turn(period: float) -> float:
    return max(_PERIODS_OF_A_TURN * period, _LONGEST_TURN_AT_LEAST)


def _expiry(name: str, periodic: Mapping[str, float]) -> float | None:
    """Return the seconds after which the task is obsolete; one that measures a queue never is."""
    if name == RESEND_LOST_JOBS:
        return max(_SECONDS_BEHIND_REPORTS, periodic[name])
    return None if name == NOTE_RESULTS else periodic[name]


def end_worker() -> None:
    """End this worker after its task."""
    os.kill(os.getpid(), signal.SIGTERM)


# See webapp/decisions/clock-thread.md
class Clock(threading.Thread):
    """Sends the periodic tasks until it is stopped."""

    def __init__(
        self,
        periodic: Mapping[str, float],
        *,
        send: Callable[[Mapping[str, float]], list[str]] = send_due_tasks,
        ask: Callable[[], None] = broker.ask_for_release,
        fail: Callable[[], None] = end_worker,
        poll_seconds: float = _POLL_SECONDS,
    ) -> None:
        super().__init__(name="clock", daemon=True)
        self._periodic, self._send, self._ask, self._fail = periodic, send, ask, fail
        self._poll_seconds = poll_seconds
        self._over = threading.Event()

    def stop(self) -> None:
        self._over.set()

    def run(self) -> None:
        looks = count()
        try:
            while not self._over.wait(self._poll_seconds):
                self._look(next(looks))
        except Exception:
            logger.exception("the clock stopped; its worker ends")
            self._fail()

    def _look(self, number: int) -> None:
        touch_alive_file()
        try:
            if number % _LOOKS_A_TURN == 0:
                self._send(self._periodic)
            self._ask()
        except broker.BrokerError as error:
            logger.warning("the broker is away, nothing periodic is sent: %s", error)


_running: list[Clock] = []


@worker_ready.connect
def _begin(**_: Any) -> None:
    _running.append(Clock(PERIODIC))
    _running[-1].start()


@worker_shutting_down.connect
def _end(**_: Any) -> None:
    while _running:
        _running.pop().stop()


@task_unknown.connect
def _keep_unknown(name: str = "", message: Any = None, **_: Any) -> None:
    """Set a message of another version aside; Celery would only log it.

    A periodic task will be sent again: nothing is lost.
    """
    if message is not None and message.headers.get(broker.OBSOLETE_AT):
        logger.info("passed over the periodic task %s, which this version does not have", name)
        return
    body = b"" if message is None else message.body
    text = body if isinstance(body, str) else body.decode(errors="replace")
    try:
        broker.set_aside(RESULTS_QUEUE, text, f"no task of this version is called {name}")
    except broker.BrokerError:
        logger.exception("a message of the unknown task %s is lost", name)
