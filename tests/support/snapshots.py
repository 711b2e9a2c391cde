"""The database as it was, again: what takes seconds to make is made once a process.

With SQLite only. Another database is not copied: there it is made for each test.
"""

import sqlite3
from collections.abc import Callable
from typing import Generic, TypeVar

from django.contrib.contenttypes.models import ContentType
from django.db import connection

__all__ = ["MadeOnce"]

Made = TypeVar("Made")


class MadeOnce(Generic[Made]):
    """Something in the database that several tests begin with, each with a copy of its own.

    For tests that work without a transaction. Of Python's objects nothing is copied: tests must not
    change them.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        """Nothing is made yet."""
        self._make = make
        self._kept: tuple[Made, sqlite3.Connection] | None = None

    def there(self) -> Made:
        """Have it in the database, which is empty otherwise."""
        if self._kept is None:
            made = self._make()
            if connection.vendor != "sqlite":
                return made
            self._kept = made, sqlite3.connect(":memory:")
            connection.connection.backup(self._kept[1])
        made, database = self._kept
        connection.ensure_connection()
        database.backup(connection.connection)
        ContentType.objects.clear_cache()  # rows have the numbers of the copy
        return made
