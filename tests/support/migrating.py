"""Migrates an empty database: ``python -m tests.support.migrating``.

With the file of a site of an earlier version as argument, it first makes that version's tables and
fills them with the site's rows (see ``tests/webapp/test_upgrade.py``).
"""

import gc
import json
import sys
from pathlib import Path
from typing import Any, Final

import django
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import DateTimeField, Model

_GC_THRESHOLD: Final = 200_000
"""Migrations make thousands of classes that live on: the usual 700 take a sixth longer."""
_APART: Final = 1000
"""The distance between the first keys of two tables."""


def main(files: list[str]) -> None:
    """Make the tables of today, on the rows of an earlier version if there is a file of them."""
    gc.set_threshold(_GC_THRESHOLD)
    django.setup()
    for file in files:
        load(json.loads(Path(file).read_text()))
    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite" and not files:
        set_keys_apart()


def set_keys_apart() -> None:
    """Have each table count its keys from a number of its own.

    A test that takes the key of one table for that of another, or counts on a 1, fails then.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
        tables = sorted(name for (name,) in cursor.fetchall())
        cursor.execute("DELETE FROM sqlite_sequence")
        cursor.executemany(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)",
            [(name, _APART * number) for number, name in enumerate(tables, start=1)],
        )


def load(site: dict[str, Any]) -> None:
    """Make the database of the version whose migrations were squashed, with these rows."""
    executor = MigrationExecutor(connection)
    migrations = executor.loader.disk_migrations
    squashed = {name: key for key, each in migrations.items() for name in each.replaces}
    last = {app: (app, name) for app, name in site["migrations"].items()}
    targets = [squashed.get(each, each) for each in last.values()]
    targets += [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] not in last]
    executor.migrate(targets)
    for key in set(squashed.values()):  # that version knows only the names that it replaces
        executor.recorder.record_unapplied(*key)
    models = executor.loader.project_state(targets).apps
    with transaction.atomic():  # foreign keys are checked in the end
        for label, table in site["rows"].items():
            model = models.get_model(label)
            for field in model._meta.concrete_fields:
                if isinstance(field, DateTimeField):
                    field.auto_now_add = False  # would replace the moment that the file states
            model._base_manager.bulk_create(model(**row) for row in as_python(model, table))
            with connection.cursor() as cursor:  # PostgreSQL counts on from what it gave out itself
                for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
                    cursor.execute(statement)


def as_python(model: type[Model], table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a table's rows with values of the types that a model's fields have."""
    columns = table["columns"]
    fields = {field.attname: field for field in model._meta.concrete_fields}
    read = [fields[column].to_python for column in columns]
    return [
        {column: as_value(each) for column, as_value, each in zip(columns, read, row, strict=True)}
        for row in table["rows"]
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
