"""Messages that versions before the site had a name have left in Redis, taken over: none is lost.

Their keys have no prefix. Graders of such a version, which still play what they took, send their
reports there for some minutes after an upgrade.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, cast

import msgspec
import redis

from grader.broker.site_keys import prefix_of
from webapp.celery import RESULTS_QUEUE, SITE_QUEUES, VERDICTS_QUEUE
from webapp.jobs.queues import Queue

__all__ = ["adopt", "adopt_reports"]

_ASIDE: Final = "firebox.aside"
_AT_ONCE: Final = 50


def adopt(client: redis.Redis, site: str) -> None:
    """Move all messages of an earlier version to the site's keys, in their order.

    ``client`` sees keys as Redis has them. Running it again does no harm.
    """
    _give_back_held(client)
    for queue in (*SITE_QUEUES, *Queue, _ASIDE):
        with suppress(redis.ResponseError):  # no list: no version has left that there
            while _move(client, queue, site, _AT_ONCE):
                pass


def adopt_reports(client: redis.Redis, site: str) -> None:
    """Move some of the reports that graders of an earlier version send."""
    for queue in (VERDICTS_QUEUE, RESULTS_QUEUE):
        with suppress(redis.ResponseError):
            _move(client, queue, site, _AT_ONCE)


def _move(client: redis.Redis, queue: str, site: str, count: int) -> bool:
    """Move the messages that waited longest; return whether there may be more."""
    if not client.exists(queue):
        return False
    with client.pipeline() as pipe:
        for _ in range(count):
            pipe.lmove(queue, prefix_of(site) + queue, "RIGHT", "LEFT")
        return pipe.execute()[-1] is not None


def _give_back_held(client: redis.Redis) -> None:
    """Return the messages that the site's workers had taken to the head of their queues."""
    for queue in SITE_QUEUES:
        for name in cast("Iterable[bytes]", client.hkeys(f"{queue}.held")):
            while client.lmove(f"{queue}.held.{name.decode()}", queue, "LEFT", "RIGHT"):
                pass
        client.delete(f"{queue}.held")
    unacked = f"{RESULTS_QUEUE}.unacked"
    for tag, kept in cast("Mapping[bytes, bytes]", client.hgetall(unacked)).items():
        with suppress(msgspec.DecodeError):  # a message that no worker could have used
            _give_back(client, unacked, tag, kept)


def _give_back(client: redis.Redis, unacked: str, tag: bytes, kept: bytes) -> None:
    """Return a message of which Celery kept a JSON list: message, exchange and queue."""
    message, _, queue = msgspec.json.decode(kept, type=tuple[msgspec.Raw, str, str])
    with client.pipeline() as pipe:
        pipe.rpush(queue, bytes(message))
        pipe.hdel(unacked, tag.decode())
        pipe.zrem(f"{unacked}_index", tag.decode())
        pipe.execute()
