"""Several acts that arrive at one moment at the same row of a PostgreSQL database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeAlias

from django.db import connection, transaction
from django.db.models import Model

from tests.support.postgres_server import PostgresServer
from tests.support.processes import wait_until
from webapp.base.errors import Refused

SECONDS: Final = 60
"""Within which everybody must have had their turn."""

Action: TypeAlias = Callable[[], object]
Race: TypeAlias = Callable[..., list[object]]


def race(server: PostgresServer, row: Model, *actions: Action) -> list[object]:
    """Let actions arrive one after the other at a row that is locked, and go on all at once."""
    lock = f"SELECT FROM {row._meta.db_table} WHERE id = %s FOR NO KEY UPDATE"
    with ThreadPoolExecutor(len(actions)) as pool, server.connect() as gate:
        with gate.transaction():
            gate.execute(lock, [row.pk])
            futures = []
            for action in actions:
                futures.append(pool.submit(outcome, action))
                wait_until(
                    lambda: waiting(server) == len(futures),
                    seconds=SECONDS,
                    why=f"{len(futures)} do not wait for the row",
                )
        return [future.result(timeout=SECONDS) for future in futures]


def wait_behind(
    server: PostgresServer, first: Action, second: Action, *, then: Action = lambda: None
) -> object:
    """Return the outcome of the act that waits for the transaction of the first and ``then``."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            waits = pool.submit(outcome, second)
            wait_until(lambda: waiting(server) == 1, seconds=SECONDS, why="it does not wait")
            then()
        return waits.result(timeout=SECONDS)


def outcome(action: Action) -> object:
    """The result, or the refusal, on a connection of its thread."""
    try:
        return action()
    except Refused as refusal:
        return refusal
    finally:
        connection.close()


def waiting(server: PostgresServer) -> int:
    """The number of connections that wait for a lock."""
    with server.connect() as watcher:
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        row = watcher.execute(query).fetchone()
    assert row is not None
    return int(str(row[0]))
