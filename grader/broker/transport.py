"""Redis transport for Celery that sets malformed messages aside instead of crashing the worker.

Celery's transport for Redis trusts every item in a queue. One that is not JSON, or lacks a field,
ends the worker, and then the next worker that takes it: anyone who may write to the broker could
stop the site. So this transport first parses each item strictly, and passes on a message that it
encodes from the parsed values. Tasks have at most one argument, a text; nothing else that Celery's
messages can carry is accepted.
"""

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
import redis
from kombu.transport.redis import Channel as RedisChannel
from kombu.transport.redis import QoS as RedisQoS
from kombu.transport.redis import Transport as RedisTransport
from kombu.transport.virtual import QoS

__all__ = [
    "ASIDE",
    "BROKER_TRANSPORT",
    "MAX_ASIDE",
    "Transport",
    "admit",
    "broker_url",
    "count_rejected",
    "dismiss",
    "is_admitted",
    "is_withdrawn",
    "read_message",
    "set_aside",
    "transport_options",
    "trim_aside",
    "withdraw",
]

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
_MAX_BYTES: Final = 16 << 20
"""The longest item that is read. A report of games has two MiB at most."""
_MAX_DELAY: Final = timedelta(hours=1)
"""The longest delay that a message may ask for. A task that is retried asks for seconds."""
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_TAKES: Final = {"BRPOP", "RPOP"}
"""The Redis commands that take a message from a queue."""

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=1000)]
Nothing: TypeAlias = Annotated[list[str], msgspec.Meta(max_length=0)] | None
Priority: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=9)]


class _DeliveryInfo(msgspec.Struct, omit_defaults=True):
    """The destination of a message: a queue, by its name."""

    exchange: Literal[""]
    routing_key: Text
    redelivered: bool = False


class _Properties(msgspec.Struct, omit_defaults=True):
    delivery_tag: Text
    delivery_info: _DeliveryInfo
    body_encoding: Literal["base64"]
    delivery_mode: Literal[1, 2] | None = None
    priority: Priority | None = None
    expiration: Text | None = None
    origin: Text | None = None
    correlation_id: Text | None = None
    reply_to: Text | None = None


class _Headers(msgspec.Struct):
    """Celery's protocol 2, https://docs.celeryq.dev/en/stable/internals/protocol.html.

    Other headers, which later versions may add, are dropped. Follow-up tasks must be empty.
    """

    task: Text
    id: Text
    lang: Literal["py"] = "py"
    origin: Text | None = None
    shadow: Text | None = None
    eta: Text | None = None
    expires: Text | None = None
    firebox_obsolete_at: Annotated[float, msgspec.Meta(ge=0, lt=1e11)] | None = None
    """Ours: the time of the broker after which the site's workers pass the message over."""
    group: None = None
    group_index: None = None
    retries: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0
    timelimit: tuple[None, None] | None = None
    root_id: Text | None = None
    parent_id: Text | None = None
    argsrepr: str | None = None
    kwargsrepr: str | None = None
    ignore_result: bool | None = None
    redelivered: bool = False
    stamped_headers: Nothing = None
    callbacks: Nothing = None
    errbacks: Nothing = None
    chain: Nothing = None
    chord: None = None


class _Message(msgspec.Struct, rename="kebab"):
    body: str
    properties: _Properties
    headers: _Headers
    content_type: Literal["application/json"]
    content_encoding: Literal["utf-8"]


class _Embedded(msgspec.Struct):
    """The follow-up tasks in a message's body; all must be empty."""

    callbacks: Nothing = None
    errbacks: Nothing = None
    chain: Nothing = None
    chord: None = None


_Arguments: TypeAlias = Annotated[list[str], msgspec.Meta(max_length=1)]
_Named: TypeAlias = Annotated[dict[str, None], msgspec.Meta(max_length=0)]
_Body: TypeAlias = tuple[_Arguments, _Named, _Embedded]


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


def transport_options(consumer: str) -> dict[str, Any]:
    """Return the transport's options for the consumers of that name.

    Their unacknowledged messages have Redis keys of their own, so that graders need no access to
    the site's.
    """
    return {
        "visibility_timeout": 3600,
        "unacked_key": f"{consumer}.unacked",
        "unacked_index_key": f"{consumer}.unacked_index",
        "unacked_mutex_key": f"{consumer}.unacked_mutex",
    }


def read_message(item: bytes | str, queue: str | None = None) -> bytes:
    """Parse an item of a queue and encode it again, without unknown fields.

    ``queue`` is where the item was found; it must have been sent there. Raises ``ValueError`` with
    the reason if it is not a valid message.
    """
    return msgspec.json.encode(_read(item, queue))


def _read(item: bytes | str, queue: str | None) -> _Message:
    """Parse a message. Raises ``ValueError``."""
    if len(item) > _MAX_BYTES:
        raise ValueError(f"{len(item)} bytes; at most {_MAX_BYTES} are read")
    try:
        message = msgspec.json.decode(item, type=_Message)
        body = msgspec.json.decode(b64decode(message.body, validate=True), type=_Body)
    except RecursionError as error:
        raise ValueError(str(error)) from error
    sent_to = message.properties.delivery_info.routing_key
    if queue is not None and sent_to != queue:
        raise ValueError(f"sent to {sent_to}, found in {queue}")
    return msgspec.structs.replace(
        message,
        body=b64encode(msgspec.json.encode(body)).decode(),
        headers=msgspec.structs.replace(
            message.headers,
            eta=_moment(message.headers.eta, before=datetime.now(UTC) + _MAX_DELAY),
            expires=_moment(message.headers.expires, before=_LATEST),
        ),
    )


def _moment(text: str | None, *, before: datetime) -> str | None:
    """Return a time as ISO 8601 has it, with its zone. Raises ``ValueError``."""
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not _EARLIEST < moment < before:
        raise ValueError(f"a message for {text}, which has no zone or is too far away")
    return moment.isoformat()


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


class _Client(redis.Redis):
    """Redis client that parses each item before Celery sees it."""

    def parse_response(self, connection: Any, command_name: str, **options: Any) -> Any:
        """Return Redis' reply; ``None`` in place of an item that is not a valid message."""
        reply = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]  # stubs
        if command_name not in _TAKES or not reply:
            return reply
        key, item = reply if command_name == "BRPOP" else (None, reply)
        queue = None if key is None else key.decode().partition(RedisChannel.sep)[0]
        try:
            message = read_message(item, queue)
        except ValueError as error:
            client = redis.Redis(connection_pool=self.connection_pool)
            set_aside(client, queue or "", item, str(error))
            return None
        return message if key is None else (key, message)


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
                message, queue = _read_kept(kept)
            except ValueError as error:
                set_aside(redis_client, self.unacked_key, kept, str(error))
                return
            self.channel._do_restore_message(message, "", queue, pipe, leftmost)  # type: ignore[attr-defined]  # stubs

        with self.channel.conn_or_acquire(client) as redis_client:  # type: ignore[attr-defined]  # stubs
            redis_client.transaction(restore, self.unacked_key)


def _read_kept(kept: bytes | str) -> tuple[dict[str, Any], str]:
    """Return an unacknowledged message and its queue. Raises ``ValueError``.

    Kombu stores a JSON list of message, exchange and routing key.
    """
    try:
        raw, exchange, queue = msgspec.json.decode(kept, type=tuple[msgspec.Raw, str, str])
    except RecursionError as error:
        raise ValueError(str(error)) from error
    if exchange:
        raise ValueError(f"sent to the exchange {exchange[:100]}")
    return json.loads(read_message(bytes(raw), queue)), queue


class _Channel(RedisChannel):
    QoS = _QoS

    def _get_client(self) -> type[redis.Redis]:
        super()._get_client()  # type: ignore[misc]  # stubs; it checks the library's version
        return _Client


class Transport(RedisTransport):
    """Redis transport that rejects malformed messages."""

    Channel = _Channel
    driver_type = "firebox-redis"
    """Not Celery's ``redis``: workers do not talk among themselves, over channels for all."""
