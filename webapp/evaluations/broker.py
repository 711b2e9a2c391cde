"""The broker, as little of it as we need: publish a batch, take it back, count what waits.

All fail fast: a web request or the periodic task never hangs on a broker that is away.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from kombu import Connection, Producer
from kombu.exceptions import ChannelError, OperationalError

from grader.audit import AuditRequest
from grader.records import BatchRequest, to_json
from webapp.celery import BROKER_SECONDS, app

PLAY_BATCH: Final = "grader.play_batch"
"""The graders' task; its argument is a BatchRequest as JSON."""
AUDIT_GAMES: Final = "grader.audit_games"
"""The graders' other task; its argument is an AuditRequest as JSON."""
AUDITS_QUEUE: Final = "audits"
"""Served last: an audit never delays a game."""

BrokerError = OperationalError
"""What everything here raises when the broker does not do it."""

_OPTIONS: Final = {
    "socket_timeout": BROKER_SECONDS,
    "socket_connect_timeout": BROKER_SECONDS,
    "retry_on_timeout": False,
}


@contextmanager
def _connection() -> Iterator[Connection]:
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


@contextmanager
def producer() -> Iterator[Producer]:
    """Something to publish with, on a connection of its own. Raises BrokerError."""
    with _connection() as connection:
        yield Producer(connection)


def publish(request: BatchRequest, *, queue: str, producer: Producer) -> None:
    """Put a batch into a queue. Raises BrokerError."""
    app.send_task(
        PLAY_BATCH,
        args=[to_json(request)],
        task_id=request.batch,
        queue=queue,
        producer=producer,
        retry=False,
    )


def revoke(batches: Sequence[str]) -> None:
    """Tell the graders that are there now to drop these batches unplayed. Raises BrokerError.

    Celery's own command: a worker keeps the names in its memory, for three hours at most.
    """
    if batches:
        with _connection() as connection:
            app.control.revoke(list(batches), connection=connection)


def publish_audit(request: AuditRequest, *, producer: Producer) -> None:
    """Put an audit into its queue. Raises BrokerError."""
    app.send_task(
        AUDIT_GAMES, args=[to_json(request)], queue=AUDITS_QUEUE, producer=producer, retry=False
    )


def waiting(queue: str) -> int:
    """How many messages wait in a queue, those taken by a worker not included.

    Raises BrokerError.
    """
    with _connection() as connection:
        try:
            declared = connection.default_channel.queue_declare(queue, passive=True)  # type: ignore[attr-defined]  # stubs
            return int(declared.message_count)
        except ChannelError:
            return 0  # Redis has no empty queues
