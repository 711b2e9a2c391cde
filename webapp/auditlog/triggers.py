"""Triggers that keep the log append-only, in SQLite and in PostgreSQL.

A migration installs them. SQLite drops a table's triggers when a later migration rebuilds the
table: that migration must install them again, and a test says so.
"""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

__all__ = ["TABLES", "install", "install_in", "remove", "remove_in"]

TABLES: Final = ("auditlog_act", "auditlog_link")
_MESSAGE: Final = "the audit log is append-only"
_FUNCTION: Final = f"""
CREATE OR REPLACE FUNCTION auditlog_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{_MESSAGE}'; END $$
"""


def install_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Install the triggers: the forward step of a migration."""
    install(editor.connection)


def remove_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the triggers: the backward step."""
    remove(editor.connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Refuse every UPDATE, DELETE and TRUNCATE of the log's tables from now on."""
    remove(connection)
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if postgresql:
            cursor.execute(_FUNCTION)
        for table in TABLES:
            for statement in _postgresql(table) if postgresql else _sqlite(table):
                cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers, if they are there."""
    on = " ON {}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table in TABLES:
            for act in ("update", "delete", "truncate"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{act}{on.format(table)}")


def _sqlite(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END"
        for act in ("update", "delete")
    ]


def _postgresql(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION auditlog_refuse()"
        for act in ("update", "delete", "truncate")
    ]
