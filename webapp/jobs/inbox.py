"""Messages of a queue, taken several at a time, with a few commands to Redis for all of them.

A worker of Celery takes one at a time, with three commands for each. The messages lie where Celery
keeps those that are not acknowledged: if this process dies, they are delivered again.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec
import redis
from kombu.exceptions import OperationalError

from grader.broker import transport
from webapp.celery import app

__all__ = ["Message", "taken"]

logger = logging.getLogger(__name__)

_AT_ONCE: Final = 8
"""Messages that one command takes: each may have some megabytes."""
_EXPECTED: Final = (redis.RedisError, OperationalError)
_KEYS: Final = cast("dict[str, Any]", app.conf.broker_transport_options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that was taken and is not acknowledged."""

    item: bytes
    """As it lay in the queue."""
    value: dict[str, Any]
    """As Celery knows it."""
    tag: str


@contextmanager
def taken(
    queue: str, *, most: int, wanted: Callable[[dict[str, Any]], bool]
) -> Iterator[list[Message]]:
    """Take the messages at the head of a queue, up to the first that is not wanted.

    They are acknowledged at the end, and go back to the head of the queue after an exception. If
    the broker is away, there are none; those that it holds, it delivers again later.
    """
    messages: list[Message] = []
    with _broker_may_be_away():
        messages += _take(queue, most, wanted)
    is_done = False
    try:
        yield messages
        is_done = True
    finally:
        with _broker_may_be_away():
            _settle(queue, messages, put_back=not is_done)


@contextmanager
def _broker_may_be_away() -> Iterator[None]:
    try:
        yield
    except _EXPECTED as error:
        logger.warning("the broker is away: %s", error)


@contextmanager
def _client() -> Iterator[redis.Redis]:
    """Redis, without the transport's own reading of messages."""
    with app.connection_or_acquire() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        pool = connection.default_channel.client.connection_pool
        yield redis.Redis(connection_pool=pool)


def _take(queue: str, most: int, wanted: Callable[[dict[str, Any]], bool]) -> list[Message]:
    messages: list[Message] = []
    with _client() as client:
        while len(messages) < most:
            count = min(_AT_ONCE, most - len(messages))
            items = cast("list[bytes] | None", client.rpop(queue, count))
            if not items:
                break
            chosen = _chosen(client, queue, items, wanted)
            messages += chosen
            if len(chosen) < len(items):
                break
    return messages


def _chosen(
    client: redis.Redis,
    queue: str,
    items: list[bytes],
    wanted: Callable[[dict[str, Any]], bool],
) -> list[Message]:
    """Keep the wanted messages as not acknowledged; return the others to the queue."""
    chosen: list[Message] = []
    for item in items:
        message = _message(item, queue)
        if message is None or not wanted(message.value):
            break
        chosen.append(message)
    with client.pipeline() as pipe:
        if rest := items[len(chosen) :]:
            pipe.rpush(queue, *reversed(rest))
        if chosen:
            now = time.time()
            pipe.zadd(_KEYS["unacked_index_key"], {message.tag: now for message in chosen})
            kept = [text for message in chosen for text in (message.tag, _kept(message, queue))]
            pipe.hset(_KEYS["unacked_key"], items=kept)
        pipe.execute()
    return chosen


def _message(item: bytes, queue: str) -> Message | None:
    """Read an item; ``None`` if it is no message: Celery's transport says why."""
    try:
        value = msgspec.json.decode(transport.read_message(item, queue))
    except ValueError:
        return None
    return Message(item=item, value=value, tag=value["properties"]["delivery_tag"])


def _kept(message: Message, queue: str) -> bytes:
    """Return a message as Kombu keeps it until it is acknowledged."""
    return msgspec.json.encode([message.value, "", queue])


def _settle(queue: str, messages: list[Message], *, put_back: bool) -> None:
    if not messages:
        return
    tags = [message.tag for message in messages]
    with _client() as client, client.pipeline() as pipe:
        pipe.zrem(_KEYS["unacked_index_key"], *tags)
        pipe.hdel(_KEYS["unacked_key"], *tags)
        if put_back:
            pipe.rpush(queue, *(message.item for message in reversed(messages)))
        pipe.execute()
