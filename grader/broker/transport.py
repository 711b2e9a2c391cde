"""Redis transport for Celery that sets malformed messages aside instead of crashing the worker.

All keys are those of one site (``site_keys``), and so is every message.
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
import redis
from kombu.transport.redis import Channel as RedisChannel
from kombu.transport.redis import QoS as RedisQoS
from kombu.transport.redis import Transport as RedisTransport
from kombu.transport.virtual import QoS

from grader.broker.messages import read_message
from grader.broker.site_keys import SiteRedis, find_site, prefix_of

BROKER_TRANSPORT: Final = f"{__name__}:Transport"
"""For Celery's setting ``broker_transport``."""
ASIDE: Final = "firebox.aside"
"""The Redis list of rejected items, newest first: JSON objects with queue, at, why and text."""
MAX_ASIDE: Final = 200
"""The number of rejected items that are kept."""
_TRIMMED: Final = "firebox.aside.trimmed"
"""The Redis key with the number of rejected items that were deleted."""
_ASIDE_CHARACTERS: Final = 4000
"""The part of each rejected item that is kept."""
_WITHDRAWN: Final = "firebox.withdrawn."
"""Prefix of a Redis key; the batch's name follows. The key exists while graders skip the batch."""
_WITHDRAWN_SECONDS: Final = 3 * 3600
"""The life of a key for a withdrawn batch. The site sets it again while graders must skip it."""
_ADMITTED: Final = "firebox.admitted."
"""Prefix of a Redis key; a grader's public key follows. It exists while the grader may work."""
_ADMITTED_SECONDS: Final = 3600
"""The life of a key for an admitted grader. The site sets it again with each periodic task."""
_TAKES: Final = {"BRPOP", "RPOP"}
"""The Redis commands that take a message from a queue."""


def broker_url(address: str) -> str:
    """Return the broker's address, for Celery's setting ``broker_url``.

    ``rediss`` means TLS with a checked certificate, unless the address sets ``ssl_cert_reqs``.
    Without that parameter, Celery with a custom transport would use plain TCP.
    """
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "rediss":
        query.setdefault("ssl_cert_reqs", "required")
    return parts._replace(query=urlencode(query)).geturl()


def grader_options() -> dict[str, Any]:
    """Return the transport's options for graders.

    What a grader has taken is in its memory alone, where no other grader can read it. If the grader
    is killed, the site sends the work again once its lease has run out.
    """
    return {"find_site": find_site, "ack_emulation": False}


def site_options(consumer: str) -> dict[str, Any]:
    """Return the transport's options for consumers of the site. ``find_site`` is still missing.

    Redis keeps the messages that they have taken.
    """
    return {
        "visibility_timeout": 3600,
        "unacked_key": f"{consumer}.unacked",
        "unacked_index_key": f"{consumer}.unacked_index",
        "unacked_mutex_key": f"{consumer}.unacked_mutex",
    }


def set_aside(client: redis.Redis, queue: str, item: bytes | str, why: str) -> None:
    """Keep a rejected item for operators to see. Raises redis' errors.

    A grader's login may add to these, and delete none: the site calls ``trim_aside``.
    """
    text = item.decode(errors="backslashreplace") if isinstance(item, bytes) else item
    entry = {"queue": queue, "at": time.time(), "why": why[:500], "text": text[:_ASIDE_CHARACTERS]}
    client.lpush(ASIDE, json.dumps(entry))


def trim_aside(client: redis.Redis, *, kept: int = MAX_ASIDE) -> None:
    """Delete all but the newest rejected items, and count those. Raises redis' errors."""

    def trim(pipe: Any) -> None:
        surplus = max(pipe.llen(ASIDE) - kept, 0)
        pipe.multi()
        if surplus:
            pipe.ltrim(ASIDE, 0, kept - 1) if kept else pipe.delete(ASIDE)
            pipe.incrby(_TRIMMED, surplus)

    client.transaction(trim, ASIDE)


def count_rejected(client: redis.Redis) -> int:
    """Return how many items were ever set aside. Raises redis' errors."""
    with client.pipeline() as pipe:
        pipe.llen(ASIDE)
        pipe.get(_TRIMMED)
        kept, trimmed = pipe.execute()
    return int(kept) + int(trimmed or 0)


def admit(client: redis.Redis, keys: Sequence[str]) -> None:
    """Let the graders with these public keys take work. Raises redis' errors."""
    with client.pipeline() as pipe:
        for key in keys:
            pipe.set(_ADMITTED + key, 1, ex=_ADMITTED_SECONDS)
        pipe.execute()


def dismiss(client: redis.Redis, *keys: str) -> None:
    """Stop the graders with these public keys from taking work. Raises redis' errors."""
    client.delete(*(_ADMITTED + key for key in keys))


def is_admitted(client: redis.Redis, key: str) -> bool:
    """Return whether the site admits the grader with this public key. Raises redis' errors."""
    return bool(client.exists(_ADMITTED + key))


def withdraw(client: redis.Redis, batches: Sequence[str]) -> None:
    """Tell graders to skip these batches. Raises redis' errors."""
    with client.pipeline() as pipe:
        for batch in batches:
            pipe.set(_WITHDRAWN + batch, 1, ex=_WITHDRAWN_SECONDS)
        pipe.execute()


def is_withdrawn(client: redis.Redis, batch: str) -> bool:
    """Return whether the site has withdrawn this batch. Raises redis' errors."""
    return bool(client.exists(_WITHDRAWN + batch))


def plain_client(client: redis.Redis) -> SiteRedis:
    """Return a client on the same keys as a channel's, which parses no message."""
    if not isinstance(client, SiteRedis):
        raise TypeError("the client of another transport")
    return SiteRedis(connection_pool=client.connection_pool, prefix=client.prefix)


class _Client(SiteRedis):
    """Redis client that parses each item before Celery sees it."""

    def parse_response(self, connection: Any, command_name: str, **options: Any) -> Any:
        """Return Redis' reply; ``None`` in place of an item that is not a valid message."""
        reply = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]  # stubs
        if command_name not in _TAKES or not reply:
            return reply
        key, item = reply if command_name == "BRPOP" else (None, reply)
        queue = None if key is None else self._queue_of(key)
        try:
            message = read_message(item, queue, self.prefix)
        except ValueError as error:
            set_aside(plain_client(self), queue or "", item, str(error))
            return None
        return message if queue is None else (queue.encode(), message)

    def _queue_of(self, key: bytes) -> str:
        return key.decode().removeprefix(self.prefix).partition(RedisChannel.sep)[0]


class _QoS(RedisQoS):
    """Keeps unacknowledged messages; restores only valid ones to their queue."""

    _calls = 0
    """Calls of ``restore_visible`` so far."""

    def restore_visible(self, start: int = 0, num: int | None = 10, interval: int = 10) -> None:
        """Restore messages whose consumer is overdue, at every ``interval``-th call.

        Kombu's own lock needs Lua scripts, and a login that may load scripts can stop Redis. If the
        lock is lost, two consumers look at once; each message is still restored only once.
        """
        self._calls += 1
        if (self._calls - 1) % interval:
            return
        with self.channel.conn_or_acquire() as client:  # type: ignore[attr-defined]  # stubs
            if not client.set(self.unacked_mutex_key, 1, nx=True, ex=self.unacked_mutex_expire):
                return
            try:
                for tag in self._overdue(client, None if num is None else (start, num)):
                    self.restore_by_tag(tag, client)
            finally:
                client.delete(self.unacked_mutex_key)

    def _overdue(self, client: Any, part: tuple[int, int] | None) -> Sequence[str]:
        """Return the tags of overdue messages: all, or ``part``, an offset and a number."""
        offset, number = part or (None, None)
        late = time.time() - self.visibility_timeout
        tags: Sequence[str] = client.zrange(
            self.unacked_index_key, late, 0, desc=True, byscore=True, offset=offset, num=number
        )
        return tags

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message.

        Free its share of the prefetch count even when the broker is away. Otherwise the worker
        would never ask for another message, and so never notice the lost connection. After the
        visibility timeout the message is delivered again.
        """
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:  # type: ignore[attr-defined]  # stubs
            QoS.ack(self, delivery_tag)
            raise

    def restore_by_tag(self, tag: str, client: Any = None, leftmost: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's
        """Return an unacknowledged message to its queue; set it aside if it is not valid."""

        def restore(pipe: Any) -> None:
            kept = pipe.hget(self.unacked_key, tag)
            pipe.multi()
            self._remove_from_indices(tag, pipe)  # type: ignore[attr-defined]  # stubs
            if kept is None:
                return
            try:
                message, queue = _read_kept(kept, self.channel.global_keyprefix)  # type: ignore[attr-defined]  # stubs
            except ValueError as error:
                set_aside(redis_client, self.unacked_key, kept, str(error))
                return
            self.channel._do_restore_message(message, "", queue, pipe, leftmost)  # type: ignore[attr-defined]  # stubs

        with self.channel.conn_or_acquire(client) as redis_client:  # type: ignore[attr-defined]  # stubs
            redis_client.transaction(restore, self.unacked_key)


def _read_kept(kept: bytes | str, prefix: str) -> tuple[dict[str, Any], str]:
    """Return a message and its queue from Kombu's JSON list. Raises ``ValueError``."""
    try:
        raw, exchange, queue = msgspec.json.decode(kept, type=tuple[msgspec.Raw, str, str])
    except RecursionError as error:
        raise ValueError(str(error)) from error
    if exchange:
        raise ValueError(f"sent to the exchange {exchange[:100]}")
    return json.loads(read_message(bytes(raw), queue, prefix)), queue


class _Channel(RedisChannel):
    QoS = _QoS
    from_transport_options = (*RedisChannel.from_transport_options, "find_site")
    find_site: Callable[[redis.Redis], str]

    def _get_client(self) -> Callable[..., redis.Redis]:
        super()._get_client()  # type: ignore[misc]  # stubs; it checks the library's version
        try:
            site = self.find_site(redis.Redis(connection_pool=self.async_pool))
        except Exception:
            self._disconnect_pools()  # type: ignore[attr-defined]  # stubs
            raise
        self._site, self.global_keyprefix = site, prefix_of(site)
        return partial(_Client, prefix=self.global_keyprefix)

    def _put(self, queue: str, message: dict[str, Any], **options: Any) -> None:
        message["headers"]["site"] = self._site
        super()._put(queue, message, **options)

    def _restore(self, message: Any, leftmost: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's
        if self.ack_emulation:
            super()._restore(message, leftmost)  # type: ignore[call-arg]  # stubs
            return
        queue = message.delivery_info["routing_key"]
        with self.conn_or_acquire() as client:
            self._do_restore_message(message.serializable(), "", queue, client, leftmost)  # type: ignore[attr-defined]  # stubs


class Transport(RedisTransport):
    """Redis transport that rejects malformed messages."""

    Channel = _Channel
    driver_type = "firebox-redis"
    """Not Celery's ``redis``: workers do not talk among themselves, over channels for all."""
