"""The messages in the queues of Redis, parsed strictly before Celery sees them.

Celery's transport for Redis trusts every item in a queue. One that is not JSON, or lacks a field,
ends the worker, and then the next worker that takes it: anyone who may write to the broker could
stop the site. So each item is parsed first, and a message that is encoded from the parsed values
goes on. Tasks have at most one argument, a text; nothing else that Celery's messages can carry is
accepted.
"""
# See webapp/decisions/batches-in-memory.md

from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from grader.broker.site_keys import prefix_of

_MAX_BYTES: Final = 16 << 20
"""The longest item that is read. A report of games has two MiB at most."""
_MAX_DELAY: Final = timedelta(hours=1)
"""The longest delay that a message may ask for. A task that is retried asks for seconds."""
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)

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
    site: Text | None = None
    """The site that the message is of; ``None`` from a version that did not say it."""
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


def read_message(item: bytes | str, queue: str | None = None, prefix: str | None = None) -> bytes:
    """Parse an item of a queue and encode it again, without unknown fields.

    ``queue`` is where the item was found; it must have been sent there, and by the site to which
    keys with this prefix belong. Raises ``ValueError`` with the reason if it is not a valid
    message.
    """
    return msgspec.json.encode(_read(item, queue, prefix))


def _read(item: bytes | str, queue: str | None, prefix: str | None) -> _Message:
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
    site = message.headers.site
    if site is not None and prefix is not None and prefix_of(site) != prefix:
        raise ValueError(f"a message of the site {site}")
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
