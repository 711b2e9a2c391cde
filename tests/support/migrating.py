"""Migrates an empty database: ``python -m tests.support.migrating``.

With the file of a site of an earlier version as argument, it first makes that version's tables and
fills them with the site's rows (see ``tests/webapp/jobs/test_upgrade.py``).
"""

import gc
import json
import sys
from pathlib import Path
from typing import Any, Final

import django
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

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
    """Make a database of the earlier version with these rows."""
    targets = [tuple(migration) for migration in site["migrations"]]
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    apps = executor.loader.project_state(targets).apps
    for label, rows in site["rows"].items():
        model = apps.get_model(label)
        fields = {field.name: field for field in model._meta.fields}
        model._base_manager.bulk_create(
            model(**{fields[k].attname: fields[k].to_python(v) for k, v in row.items()})
            for row in rows
        )
        with connection.cursor() as cursor:  # PostgreSQL counts on from what it gave out itself
            for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
                cursor.execute(statement)


if __name__ == "__main__":
    main(sys.argv[1:])
