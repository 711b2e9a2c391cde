"""Messages of a queue, taken several at a time, with a few commands to Redis for all of them.

Celery takes them singly, and loses one if it is killed between two of its three commands.
"""

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import redis
from celery import Task
from kombu.exceptions import OperationalError

from grader.broker import transport
from grader.broker.messages import read_message
from grader.broker.site_keys import SiteRedis
from webapp.base.celery import app
from webapp.grading.jobs.holds import ALIVE_SECONDS, Hold

logger = logging.getLogger(__name__)

_AT_ONCE: Final = 8
"""Messages that one command takes: each may have some megabytes."""
_EXPECTED: Final = (redis.RedisError, OperationalError)


@dataclass(slots=True, kw_only=True)
class Taken:
    hold: Hold
    values: list[dict[str, Any]] = field(default_factory=list)
    is_registered: bool = False
    """True while Redis has the hold, with these messages and no others."""
    renewed_at: float = 0.0

    def keep(self) -> None:
        """Stay alive. Otherwise another worker is given the messages within a minute."""
        if self.is_registered and time.monotonic() - self.renewed_at > ALIVE_SECONDS / 6:
            with _broker_may_be_away(), _client() as client:
                self.hold.renew(client)
                self.renewed_at = time.monotonic()


@contextmanager
def taken(
    queue: str, *, most: int, wanted: Callable[[dict[str, Any]], bool], tag: str
) -> Iterator[Taken]:
    """Take the messages at the head of a queue, up to the first that is not wanted.

    They are deleted at the end, and go back after an exception. If the broker is away, there are
    none. ``tag`` is that of the message whose task this is.
    """
    messages = Taken(hold=Hold(queue=queue, name=str(uuid.uuid4()), tag=tag))
    with _broker_may_be_away():
        _take(messages, most, wanted)
    is_done = False
    try:
        yield messages
        is_done = True
    finally:
        if messages.is_registered:
            with _broker_may_be_away():
                _settle(messages, put_back=not is_done)


def held(queue: str, task: "Task[..., None]") -> AbstractContextManager[Taken]:
    """Hold the message of a task alone: if this worker is killed, another is soon given it."""
    return taken(queue, most=0, wanted=lambda _: False, tag=tag_of(task))


def tag_of(task: "Task[..., None]") -> str:
    """Return the tag of a task's message; nothing if the task was called without one."""
    return str((task.request.properties or {}).get("delivery_tag", ""))


@contextmanager
def _broker_may_be_away() -> Iterator[None]:
    try:
        yield
    except _EXPECTED as error:
        logger.warning("the broker is away: %s", error)


@contextmanager
def _client() -> Iterator[SiteRedis]:
    with app.connection_or_acquire() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        yield transport.plain_client(connection.default_channel.client)


def _take(messages: Taken, most: int, wanted: Callable[[dict[str, Any]], bool]) -> None:
    values: list[dict[str, Any]] = []
    messages.renewed_at = time.monotonic()
    with _client() as client:
        while True:
            count = min(_AT_ONCE, most - len(values))
            items = messages.hold.take(client, count)
            chosen = list(_chosen(items, messages.hold.queue, client.prefix, wanted))
            messages.hold.return_last(client, len(items) - len(chosen))
            values += chosen
            if len(chosen) < count or len(values) >= most:
                break
    messages.values, messages.is_registered = values, True


def _chosen(
    items: list[bytes], queue: str, prefix: str, wanted: Callable[[dict[str, Any]], bool]
) -> Iterator[dict[str, Any]]:
    """Yield the messages up to the first that is not wanted, or that cannot be read."""
    for item in items:
        try:
            value = msgspec.json.decode(read_message(item, queue, prefix))
        except ValueError:
            return
        if not wanted(value):
            return
        yield value


def _settle(messages: Taken, *, put_back: bool) -> None:
    with _client() as client:
        if put_back:
            messages.hold.return_last(client, len(messages.values))
        messages.hold.end(client)
