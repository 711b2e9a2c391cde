"""Triggers that keep the log append-only, in SQLite and in PostgreSQL.

One change is let through: an act's words may be emptied, all of them and its salt with them. SQLite
drops a table's triggers when a later migration rebuilds the table: that migration must install them
again.
"""

from collections.abc import Sequence
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES: Final = ("auditlog_act", "auditlog_link")
_MESSAGE: Final = "the audit log is append-only"
_ACTS: Final = TABLES[0]
_EMPTIED: Final = {"thing": "''", "before": "'{}'", "after": "'{}'", "reason": "''", "salt": "''"}
_FUNCTIONS: Final = f"""
CREATE OR REPLACE FUNCTION auditlog_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{_MESSAGE}'; END $$;
CREATE OR REPLACE FUNCTION auditlog_erase_only() RETURNS trigger LANGUAGE plpgsql AS
$$ DECLARE words text[] := ARRAY[{", ".join(f"'{name}'" for name in _EMPTIED)}];
BEGIN
    IF OLD.salt <> '' AND to_jsonb(NEW) - words = to_jsonb(OLD) - words
        AND {" AND ".join(f"NEW.{name} = {empty}" for name, empty in _EMPTIED.items())}
    THEN RETURN NEW; END IF;
    RAISE EXCEPTION '{_MESSAGE}';
END $$;
"""


def install_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Install the triggers: the forward step of a migration."""
    install(editor.connection)


def remove_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the triggers: the backward step."""
    remove(editor.connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Refuse UPDATE, DELETE and TRUNCATE of the log's tables from now on, but for erased words."""
    remove(connection)
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        columns = {
            column.name for column in connection.introspection.get_table_description(cursor, _ACTS)
        }
        if postgresql:
            cursor.execute(_FUNCTIONS)
        for table in TABLES:
            fixed = sorted(columns - _EMPTIED.keys()) if table == _ACTS else []
            for statement in _postgresql(table, fixed) if postgresql else _sqlite(table, fixed):
                cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers, if they exist."""
    on = " ON {}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table in TABLES:
            for act in ("update", "delete", "truncate"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{act}{on.format(table)}")


def _sqlite(table: str, fixed: Sequence[str]) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table}"
        f"{_unless_erased(fixed) if act == 'update' and fixed else ''}"
        f" BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END"
        for act in ("update", "delete")
    ]


def _unless_erased(fixed: Sequence[str]) -> str:
    same = [f'NEW."{name}" IS OLD."{name}"' for name in fixed]
    emptied = [f'NEW."{name}" = {empty}' for name, empty in _EMPTIED.items()]
    return f" WHEN NOT (OLD.salt <> '' AND {' AND '.join(same + emptied)})"


def _postgresql(table: str, fixed: Sequence[str]) -> list[str]:
    """For each row: loaddata first tries to update a row that is not there."""
    function = "auditlog_erase_only" if fixed else "auditlog_refuse"
    update = (
        f"CREATE TRIGGER {table}_update BEFORE update ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION {function}()"
    )
    others = [
        f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION auditlog_refuse()"
        for act in ("delete", "truncate")
    ]
    return [update, *others]
