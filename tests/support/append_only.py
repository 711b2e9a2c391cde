"""Empties the database between tests that commit, the audit log too, which refuses it."""

from collections.abc import Iterable, Iterator

import pytest
from django.db.backends.base.operations import BaseDatabaseOperations

from webapp.people.auditlog import triggers

__all__ = ["_flushed_with_the_log"]

_flush = BaseDatabaseOperations.execute_sql_flush


def _flush_with_the_log(self: BaseDatabaseOperations, sql_list: Iterable[str]) -> None:
    """Do what Django does, with the log's triggers away for the while."""
    connection = self.connection
    guarded = set(triggers.TABLES) <= set(connection.introspection.table_names())
    if guarded:
        triggers.remove(connection)
    _flush(self, sql_list)
    if guarded:
        triggers.install(connection)


@pytest.fixture(scope="session", autouse=True)
def _flushed_with_the_log() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", _flush_with_the_log)
        yield
