"""The broker: publish a job, take it back, count waiting messages.

All fail fast: a web request or the periodic task never hangs on a broker that is away.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, cast

import msgspec
import redis
from django.conf import settings
from kombu import Connection, Producer
from kombu.exceptions import ChannelError, OperationalError

from grader.audit import AuditRequest
from grader.broker import transport
from grader.broker.shared_clock import time_of
from grader.broker.transport import broker_url
from grader.core.folder_check import CHECK_GAME, GameCheckRequest
from grader.core.live import ANSWER_SEAT, SeatRequest
from grader.core.records import BatchRequest, to_json
from webapp.base.celery import BROKER_SECONDS, PERIODIC, RELEASE_JOBS, RELEASE_WANTED, app
from webapp.grading.jobs import identity

PLAY_BATCH: Final = "grader.play_batch"
AUDIT_GAMES: Final = "grader.audit_games"

_WANTED: Final = "firebox.release"
"""Redis' set of the queues whose waiting jobs are to be released."""
_RELEASE_MILLISECONDS: Final = 300
"""The time between two messages that ask for a release: with that of every two seconds, there are
four a second at most."""
_COUNTS: Final = "firebox.requests"
"""Redis' hash of sums over all web processes (``webapp.grading.operations.requests``)."""
_TURN: Final = "firebox.turn."
"""Prefix of a Redis key; the name of a periodic task follows. It exists until the next is due."""

OBSOLETE_AT: Final = "firebox_obsolete_at"
"""Header of a message: the time of the broker after which nobody need do what it asks for."""

BrokerError = OperationalError

_TIMEOUTS: Final = {
    "socket_timeout": BROKER_SECONDS,
    "socket_connect_timeout": BROKER_SECONDS,
}
_OPTIONS: Final = {**_TIMEOUTS, "retry_on_timeout": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A message that could not be used."""

    queue: str
    at: float
    """Seconds since 1970."""
    why: str
    text: str

    @property
    def when(self) -> datetime:
        return datetime.fromtimestamp(min(max(self.at, 0.0), 1e10), UTC)


@contextmanager
def connected() -> Iterator[Connection]:
    """One connection, tried once. Raises BrokerError."""
    with app.connection_for_write(transport_options=_OPTIONS) as connection:
        connection.ensure_connection(
            max_retries=1,
            interval_start=0,
            timeout=int(BROKER_SECONDS),
            reraise_as_library_errors=True,
        )
        try:
            yield connection
        except connection.connection_errors as error:
            raise BrokerError(f"the connection broke: {error}") from error
        except redis.RedisError as error:
            raise BrokerError(f"the broker refused: {error}") from error


@contextmanager
def producer() -> Iterator[Producer]:
    """Open a connection to publish messages with. Raises BrokerError."""
    with connected() as connection:
        yield Producer(connection)


def publish(
    request: BatchRequest | AuditRequest | GameCheckRequest | SeatRequest,
    *,
    queue: str,
    producer: Producer,
) -> None:
    """Put the request of a job into a queue. Raises BrokerError."""
    task, name = PLAY_BATCH, getattr(request, "batch", None)
    if isinstance(request, AuditRequest):
        task = AUDIT_GAMES
    elif isinstance(request, SeatRequest):
        task = ANSWER_SEAT
    elif isinstance(request, GameCheckRequest):
        task = CHECK_GAME
    app.send_task(
        task,
        args=[to_json(request)],
        task_id=name,
        queue=queue,
        producer=producer,
        retry=False,
    )


def send_task(name: str, *arguments: str) -> None:
    """Send one of the site's own tasks to its queue. Raises BrokerError."""
    with producer() as sender:
        app.send_task(name, arguments, producer=sender, retry=False)


def withdraw(jobs: Sequence[str]) -> None:
    """Make graders skip these jobs, for three hours. Raises BrokerError."""
    if jobs:
        with connected() as connection:
            transport.withdraw(_client(connection), jobs)


def admit(keys: Sequence[str]) -> None:
    """Let the graders with these public keys take work, for an hour. Raises BrokerError."""
    if keys:
        with connected() as connection:
            transport.admit(_client(connection), keys)


def now() -> float:
    """Return the broker's time, which all hosts share: seconds since 1970. Raises BrokerError."""
    with connected() as connection:
        return time_of(_client(connection))


def obsolete_after(seconds: float | None, *, sent_at: float) -> dict[str, float]:
    """Return the headers of a message that is obsolete so long after that time of the broker."""
    return {} if seconds is None else {OBSOLETE_AT: sent_at + seconds}


def take_turns(periodic: Mapping[str, float], running: Collection[str] = ()) -> list[str]:
    """Return the names whose turn was free, and take it for that many seconds. Raises BrokerError.

    It ends a little early, so that looks every second do not make the pace slower. Where Redis'
    clock was set back, it is shortened. Turns of ``running`` tasks start again.
    """
    with connected() as connection:
        client = _client(connection)
        return [
            name
            for name, seconds in periodic.items()
            if _take_turn(client, name, seconds, is_running=name in running)
        ]


def _take_turn(client: redis.Redis, name: str, seconds: float, *, is_running: bool) -> bool:
    key, milliseconds = _TURN + name, max(1, int(seconds * 950))
    if is_running:
        client.set(key, "running", px=milliseconds)
        return False
    return _take(client, key, milliseconds)


def _take(client: redis.Redis, key: str, milliseconds: int) -> bool:
    if client.set(key, "taken", nx=True, px=milliseconds):
        return True
    if client.pttl(key) > milliseconds:
        client.pexpire(key, milliseconds)
    return False


def want_release(queues: Collection[str]) -> None:
    """Have a results worker release the waiting jobs of these queues. Raises BrokerError."""
    with connected() as connection:
        _client(connection).sadd(_WANTED, *queues)
        _ask_for_release(connection)


def ask_for_release() -> None:
    """Send the task for queues that were named while it was too early. Raises BrokerError."""
    with connected() as connection:
        if _client(connection).exists(_WANTED):
            _ask_for_release(connection)


def _ask_for_release(connection: Connection) -> None:
    """Send the task, unless it was sent a moment ago: then a clock sends the next one."""
    if _take(_client(connection), _TURN + RELEASE_WANTED, _RELEASE_MILLISECONDS):
        sent_at = time_of(_client(connection))
        seconds = PERIODIC[RELEASE_JOBS]  # by then all queues are released anyway
        headers = obsolete_after(seconds, sent_at=sent_at)
        app.send_task(RELEASE_WANTED, producer=Producer(connection), headers=headers, retry=False)


def take_wanted() -> set[str]:
    """Return the queues to be released, and forget them. Raises BrokerError."""
    with connected() as connection, _client(connection).pipeline() as pipe:
        pipe.smembers(_WANTED)
        pipe.delete(_WANTED)
        names, _ = pipe.execute()
    return {name.decode() for name in names}


def claim(former: str) -> bool:
    """Make the Redis of the former site this site's; return whether it was. Raises BrokerError."""
    with redis.Redis.from_url(broker_url(settings.BROKER_URL), **_TIMEOUTS) as client:
        try:
            return identity.claim(client, former)
        except redis.RedisError as error:
            raise BrokerError(f"the broker refused: {error}") from error


def dismiss(*keys: str) -> None:
    """Stop the graders with these public keys from taking work. Raises BrokerError."""
    if keys:
        with connected() as connection:
            transport.dismiss(_client(connection), *keys)


def set_aside(queue: str, message: str, why: str) -> None:
    """Keep a message that cannot be used, for operators to see. Raises BrokerError."""
    with connected() as connection:
        transport.set_aside(_client(connection), queue, message, why)


def aside() -> list[Aside]:
    """Return the reports that were set aside, newest first. Raises BrokerError."""
    with connected() as connection:
        entries = _client(connection).lrange(transport.ASIDE, 0, transport.MAX_ASIDE - 1)
    messages = []
    for entry in entries:
        # Everyone who may write to the broker may write there, too.
        with suppress(msgspec.DecodeError, RecursionError, UnicodeError):
            messages.append(msgspec.json.decode(entry, type=Aside))
    return messages


def trim_aside() -> None:
    """Keep only the newest rejected messages. Raises BrokerError."""
    with connected() as connection:
        transport.trim_aside(_client(connection))


def add_counts(counts: Mapping[str, int]) -> None:
    """Add to the sums of this name. Raises BrokerError."""
    if counts:
        with connected() as connection, _client(connection).pipeline() as pipe:
            for name, count in counts.items():
                pipe.hincrby(_COUNTS, name, count)
            pipe.execute()


def counts() -> dict[str, int]:
    """Return all sums by name. Raises BrokerError."""
    with connected() as connection:
        sums = cast("Mapping[bytes, bytes]", _client(connection).hgetall(_COUNTS))
    return {name.decode(): int(count) for name, count in sums.items()}


def forget_aside() -> None:
    """Delete the rejected messages. Raises BrokerError."""
    with connected() as connection:
        transport.trim_aside(_client(connection), kept=0)


def count_rejected() -> int:
    """Return how many messages were ever rejected. Raises BrokerError."""
    with connected() as connection:
        return transport.count_rejected(_client(connection))


def _client(connection: Connection) -> redis.Redis:
    return connection.default_channel.client  # type: ignore[attr-defined,no-any-return]  # stubs


def waiting(queue: str) -> int:
    """Count the messages that wait in a queue and no worker has taken. Raises BrokerError."""
    with connected() as connection:
        try:
            declared = connection.default_channel.queue_declare(queue, passive=True)  # type: ignore[attr-defined]  # stubs
            return int(declared.message_count)
        except ChannelError:
            return 0  # Redis has no empty queues
