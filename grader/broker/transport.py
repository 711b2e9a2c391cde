"""Redis transport for Celery that sets malformed messages aside instead of crashing the worker.

Celery's transport for Redis takes whatever lies in a queue for a message of its own: a line that is
no JSON, or lacks a field, ends the worker, and the next worker finds it again. Everybody who may
write to the broker could stop a site like that. So each item is read strictly first, and written
anew from what was read: Celery gets nothing that was not understood here. Tasks have at most one
argument, a text, and nothing else that Celery's messages can carry.
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
    "dismiss",
    "is_admitted",
    "is_withdrawn",
    "read_message",
    "set_aside",
    "transport_options",
    "withdraw",
]

BROKER_TRANSPORT: Final = f"{__name__}:Transport"
"""For Celery's setting ``broker_transport``."""
ASIDE: Final = "firebox.aside"
"""The Redis list of what was set aside, newest first: JSON objects with queue, at, why and text."""
MAX_ASIDE: Final = 200
"""How many of them are kept."""
_WITHDRAWN: Final = "firebox.withdrawn."
"""Before the name of a batch: the Redis key that says that nobody needs it any more."""
_WITHDRAWN_SECONDS: Final = 3 * 3600
"""How long that is known; it is said again as long as it matters."""
_ADMITTED: Final = "firebox.admitted."
"""Before a public key: the Redis key that says that this grader may take work."""
_ADMITTED_SECONDS: Final = 3600
"""How long that is known; the site says it again with every look for lost messages."""
_ASIDE_CHARACTERS: Final = 4000
"""How much of each."""
_MAX_BYTES: Final = 16 << 20
"""Of an item. A report of games has at most some two MiB."""
_MAX_DELAY: Final = timedelta(hours=1)
"""How long a message may ask to be kept: one that is tried again asks for seconds."""
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_TAKES: Final = {"BRPOP", "RPOP"}
"""Redis commands by which a message is taken from a queue."""

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=1000)]
Nothing: TypeAlias = Annotated[list[str], msgspec.Meta(max_length=0)] | None
Priority: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=9)]


class _DeliveryInfo(msgspec.Struct, omit_defaults=True):
    """Where a message was sent: to a queue by its name."""

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

    What is not here, as later versions may have, is not passed on. Follow-up tasks must be empty.
    """

    task: Text
    id: Text
    lang: Literal["py"] = "py"
    origin: Text | None = None
    shadow: Text | None = None
    eta: Text | None = None
    expires: Text | None = None
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

    ``rediss`` means TLS with a certificate that is checked, unless the address asks for other
    checks: Celery, given a transport of its own, would take it for plain TCP.
    """
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "rediss":
        query.setdefault("ssl_cert_reqs", "required")
    return parts._replace(query=urlencode(query)).geturl()


def transport_options(consumer: str) -> dict[str, Any]:
    """Return options of the transport for the consumers of that name.

    What was taken and not yet done lies under keys of their own: who may take one's messages need
    not be able to touch another's.
    """
    return {
        "visibility_timeout": 3600,
        "unacked_key": f"{consumer}.unacked",
        "unacked_index_key": f"{consumer}.unacked_index",
        "unacked_mutex_key": f"{consumer}.unacked_mutex",
    }


def read_message(item: bytes | str, queue: str | None = None) -> bytes:
    """Return an item of a queue as a message of ours, with nothing in it that we do not know.

    ``queue`` is where it lay; it must have been sent there. Raises ``ValueError`` with the reason
    why it is no message of ours.
    """
    return msgspec.json.encode(_read(item, queue))


def _read(item: bytes | str, queue: str | None) -> _Message:
    """Return what a message says. Raises ``ValueError``."""
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
    """Keep something that nobody can use, so that operators see it. Raises redis' errors."""
    text = item.decode(errors="backslashreplace") if isinstance(item, bytes) else item
    entry = {"queue": queue, "at": time.time(), "why": why[:500], "text": text[:_ASIDE_CHARACTERS]}
    with client.pipeline() as pipe:
        pipe.lpush(ASIDE, json.dumps(entry))
        pipe.ltrim(ASIDE, 0, MAX_ASIDE - 1)
        pipe.execute()


def admit(client: redis.Redis, keys: Sequence[str]) -> None:
    """Let the graders with these public keys take work. Raises redis' errors."""
    with client.pipeline() as pipe:
        for key in keys:
            pipe.set(_ADMITTED + key, 1, ex=_ADMITTED_SECONDS)
        pipe.execute()


def dismiss(client: redis.Redis, key: str) -> None:
    """Have the grader with this public key take no more work. Raises redis' errors."""
    client.delete(_ADMITTED + key)


def is_admitted(client: redis.Redis, key: str) -> bool:
    """Return whether the site admits the grader with this public key. Raises redis' errors."""
    return bool(client.exists(_ADMITTED + key))


def withdraw(client: redis.Redis, batches: Sequence[str]) -> None:
    """Have graders pass over these batches. Raises redis' errors."""
    with client.pipeline() as pipe:
        for batch in batches:
            pipe.set(_WITHDRAWN + batch, 1, ex=_WITHDRAWN_SECONDS)
        pipe.execute()


def is_withdrawn(client: redis.Redis, batch: str) -> bool:
    """Return whether the site has withdrawn this batch. Raises redis' errors."""
    return bool(client.exists(_WITHDRAWN + batch))


class _Client(redis.Redis):
    """Reads an item before anybody takes it for a message."""

    def parse_response(self, connection: Any, command_name: str, **options: Any) -> Any:
        """Return what Redis answers; nothing instead of an item that is no message."""
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
    """Remembers what was taken; what lies there and is no message is not given back."""

    _calls = 0
    """Of ``restore_visible``."""

    def restore_visible(self, start: int = 0, num: int | None = 10, interval: int = 10) -> None:
        """Give back what somebody took and did not finish in time, at every tenth call.

        As kombu does it, but its lock takes Lua: who may load scripts can stop Redis for everybody.
        A lock that is lost lets two consumers look; each message is given back once all the same.
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
        """Return tags of messages that are out for too long; all, or a number from an offset on."""
        offset, number = part or (None, None)
        late = time.time() - self.visibility_timeout
        found: Sequence[str] = client.zrange(
            self.unacked_index_key, late, 0, desc=True, byscore=True, offset=offset, num=number
        )
        return found

    def ack(self, delivery_tag: str) -> None:
        """Say that a message is done with.

        When the broker is away, its share of the prefetch count is freed all the same, or the
        worker would never again ask for a message, and so never notice the lost connection. Redis
        gives the message to somebody once more when the visibility timeout is over.
        """
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:  # type: ignore[attr-defined]  # stubs
            QoS.ack(self, delivery_tag)
            raise

    def restore_by_tag(self, tag: str, client: Any = None, leftmost: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's
        """Give a message back to its queue."""

        def give_back(pipe: Any) -> None:
            kept = pipe.hget(self.unacked_key, tag)
            pipe.multi()
            self._remove_from_indices(tag, pipe)  # type: ignore[attr-defined]  # stubs
            if kept is None:
                return
            try:
                message, queue = _read_kept(kept)
            except ValueError as error:
                set_aside(found, self.unacked_key, kept, str(error))
                return
            self.channel._do_restore_message(message, "", queue, pipe, leftmost)  # type: ignore[attr-defined]  # stubs

        with self.channel.conn_or_acquire(client) as found:  # type: ignore[attr-defined]  # stubs
            found.transaction(give_back, self.unacked_key)


def _read_kept(kept: bytes | str) -> tuple[dict[str, Any], str]:
    """Return an unacknowledged message and its queue. Raises ``ValueError``.

    Kombu keeps message, exchange and routing key.
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
