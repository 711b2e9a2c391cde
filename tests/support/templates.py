"""Worlds made once a test run: each test gets its own untouched copy of one.

Making a world with finished games through the site's services takes up to half a second, copying
its rows and files some milliseconds.
"""

import pickle
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import get_hasher
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import override_settings

from tests.support.once import once
from webapp.contests.tournaments import selectors

Made = TypeVar("Made")
Rows = list[tuple[Any, ...]]

_STANDING: Final = {
    "django_content_type", "django_migrations", "auth_permission", "jobs_siteidentity",
    "firebox_cache",
}  # fmt: skip
"""Tables that migrations fill, alike in all databases of a test run; and the cache, which the end
of a test does not empty."""


@dataclass(frozen=True, slots=True)
class Template:
    """The rows and the stored files of a world, and the pickled objects that lead to them."""

    rows: dict[str, Rows]
    files: dict[str, bytes]
    made: bytes


def copy_of(make: Callable[..., Made], **how: object) -> Made:
    """Return ``make(**how)``, and have its rows in the database and its files in the store.

    ``make`` must be a function of a module, to which nothing but ``how`` and the settings matter.
    It runs once for all processes of the test run. The database must be open to the test (the
    fixture ``db`` or ``transactional_db``) and still empty, and ``STORE_URL`` a directory. Works in
    a transaction and without one: ``story = copy_of(tournaments.tell, rounds=4)``. Moments are
    those at which the world was made, minutes ago at most.
    """
    where = f"{make.__module__}.{make.__qualname__}"
    template = _template(where, make, tuple(sorted(how.items())), *_settings())
    with transaction.atomic(), connection.cursor() as cursor:
        for table, rows in template.rows.items():
            marks = ", ".join(["%s"] * len(rows[0]))
            name = connection.ops.quote_name(table)
            cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608
        for statement in _new_starts(template.rows):
            cursor.execute(statement)
    for path, data in template.files.items():
        file = Path(settings.STORE_URL, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    _forget_answers()
    made: Made = pickle.loads(template.made)  # noqa: S301 - written by this test run
    return made


def _new_starts(tables: Collection[str]) -> list[str]:
    """Return what has PostgreSQL count on from the copied keys; SQLite does so by itself."""
    models = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table in tables
    ]
    return connection.ops.sequence_reset_sql(no_style(), models)


def _settings() -> tuple[object, ...]:
    return (get_hasher().algorithm,)


def _forget_answers() -> None:
    """Empty the caches whose keys are the same in each copy."""
    selectors._balance.cache_clear()
    selectors._counting.cache_clear()


@cache
def _template(where: str, make: Callable[..., object], how: Any, *setting: object) -> Template:
    """Read the template from the directory of the test run, or make it there."""
    data = once(repr((where, how, setting)), lambda: pickle.dumps(_make(lambda: make(**dict(how)))))
    template: Template = pickle.loads(data)  # noqa: S301 - see above
    return template


def _make(make: Callable[[], object]) -> Template:
    if held := _rows():
        raise RuntimeError(f"the database already has rows in {', '.join(held)}")
    with tempfile.TemporaryDirectory() as store, override_settings(STORE_URL=store):
        with transaction.atomic():
            made = pickle.dumps(make())
            rows = _rows()
            transaction.set_rollback(True)
        paths = [path for path in Path(store).rglob("*") if path.is_file()]
        files = {str(path.relative_to(store)): path.read_bytes() for path in paths}
    return Template(rows, files, made)


def _rows() -> dict[str, Rows]:
    held = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            held[table] = cursor.fetchall()
    return {table: rows for table, rows in held.items() if rows and table not in _STANDING}
