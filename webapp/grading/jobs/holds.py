"""Lists in Redis with the messages that a task has taken and not dealt with yet.

Messages move from their queue into the list of a task, and are deleted with it: a worker that is
killed at any moment loses none. Those of dead workers are given back, some perhaps after they were
dealt with: that must make no difference. With them goes the message that started the task, which
Celery gives to another worker only after an hour.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import redis
from kombu import Connection

from webapp.grading.jobs import broker

ALIVE_SECONDS: Final = 30
"""The life of a hold that is not renewed: longer than the longest pause between two tries."""
_PATIENCE_SECONDS: Final = 2.0
"""The time in which a living task handles the jobs that it holds, unless it fails."""
_POLL_SECONDS: Final = 0.05


# See webapp/decisions/held-messages.md
@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    queue: str
    name: str
    tag: str
    """The delivery tag of the message that started the task, or nothing."""

    def take(self, client: redis.Redis, count: int) -> list[bytes]:
        """Take messages from the head of the queue, that which waited longest first."""
        with client.pipeline() as pipe:
            pipe.hset(_holds(self.queue), self.name, self.tag)
            pipe.set(self._alive, 1, ex=ALIVE_SECONDS)
            for _ in range(count):
                pipe.lmove(self.queue, self._list, "RIGHT", "LEFT")
            replies = pipe.execute()
        return [item for item in replies[2:] if item is not None]

    def return_last(self, client: redis.Redis, count: int) -> None:
        """Return the messages that were taken last to the head of the queue, in their order."""
        if count:
            with client.pipeline() as pipe:
                for _ in range(count):
                    pipe.lmove(self._list, self.queue, "LEFT", "RIGHT")
                pipe.execute()

    def renew(self, client: redis.Redis) -> None:
        """Stay alive for another while."""
        client.set(self._alive, 1, ex=ALIVE_SECONDS)

    def end(self, client: redis.Redis) -> None:
        """Delete the messages: they are dealt with."""
        with client.pipeline() as pipe:
            pipe.delete(self._list, self._alive)
            pipe.hdel(_holds(self.queue), self.name)
            pipe.execute()

    def is_alive(self, client: redis.Redis) -> bool:
        """Return whether its task may still work."""
        milliseconds = client.pttl(self._alive)
        if milliseconds > ALIVE_SECONDS * 1000:
            client.expire(self._alive, ALIVE_SECONDS)
        return milliseconds > 0

    def give_back(self, connection: Connection) -> None:
        """Return all its messages, and the one that started the task, to the head of the queue."""
        channel: Any = connection.default_channel
        while channel.client.lmove(self._list, self.queue, "LEFT", "RIGHT") is not None:
            pass
        if self.tag:
            channel.qos.restore_by_tag(self.tag, channel.client)
        channel.client.hdel(_holds(self.queue), self.name)

    @property
    def _list(self) -> str:
        return f"{self.queue}.held.{self.name}"

    @property
    def _alive(self) -> str:
        return f"{self.queue}.alive.{self.name}"


def all_dealt_with(queue: str) -> bool:
    """Return whether all that was taken from a queue before this moment is dealt with.

    Waits for it for a moment, and gives back what dead workers held. Raises BrokerError.
    """
    with broker.connected() as connection:
        client: redis.Redis = cast("Any", connection).default_channel.client
        before = _found(client, queue)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while open_ones := [hold for hold in before if hold.name in _names(client, queue)]:
            if dead := [hold for hold in open_ones if not hold.is_alive(client)]:
                for hold in dead:
                    hold.give_back(connection)
                return False
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
    return True


def _found(client: redis.Redis, queue: str) -> list[Hold]:
    found = cast("Mapping[bytes, bytes]", client.hgetall(_holds(queue)))
    return [Hold(queue=queue, name=name.decode(), tag=tag.decode()) for name, tag in found.items()]


def _names(client: redis.Redis, queue: str) -> set[str]:
    names = cast("list[bytes]", client.hkeys(_holds(queue)))
    return {name.decode() for name in names}


def _holds(queue: str) -> str:
    return f"{queue}.held"
