"""Databases of the site that its migrations made once for all processes of a test run.

They are empty, or hold the rows of a site of an earlier version. The migrations take 3 s of
processor time; a copy takes next to none. Each is kept for the next run with the same migrations,
models and rows. ``make test-deep`` makes them anew.
"""

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.depth import DEEP
from tests.support.kept_builds import ROOT, kept_directory
from tests.support.once import once
from tests.support.slots import WORLDS_VARIABLE

CODE: Final = (
    "webapp/**/migrations/*.py",
    "webapp/**/models.py",
    "webapp/**/models/*.py",
    "webapp/people/auditlog/digests.py",
    "webapp/people/auditlog/triggers.py",
    "webapp/base/interfaces.py",
    "webapp/base/storable.py",
    "webapp/base/timezones.py",
    "grader/core/games/__init__.py",
    "grader/core/games/versions.py",
)
"""The code that makes the tables and the triggers, and of which permissions there are."""
_EARLIER: Final = ("tests/support/migrating.py", "tests/webapp/site_before_squashing.json")
"""Rows of an earlier version, and the code that writes them."""
_OTHERS: Final = ("django", "django-axes")
"""Distributions that have migrations of their own."""


def migrated_database(site: Path | None = None) -> Path:
    """Return an SQLite file, to be copied, with the tables that the migrations make.

    It holds the rows of ``site``, a file of an earlier version, as this one has them.
    """
    return _made_once(f"{_name(site)}.sqlite3", lambda path: _migrate_sqlite(path, site))


def migrated_postgres(site: Path | None = None) -> Path:
    """Return the same for a ``PostgresServer`` to begin with."""
    from tests.support.postgres_server import major_version

    name = f"{_name(site)}.postgres-{major_version()}"
    return _made_once(name, lambda path: _migrate_postgres(path, site))


def _name(site: Path | None) -> str:
    return site.stem if site else "migrated"


def _made_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return a path in the directory that is kept; what it names is made by one process."""
    path = _directory() / name
    with path.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            with TemporaryDirectory(dir=path.parent) as directory:
                made = Path(directory, "made")
                make(made)
                made.rename(path)
    return path


def _directory() -> Path:
    if WORLDS_VARIABLE not in os.environ:  # a benchmark asks, not a test
        return Path(os.fsdecode(_kept()))
    if DEEP:
        return Path(os.environ[WORLDS_VARIABLE])
    return Path(os.fsdecode(once("the directory of databases", _kept)))


def _kept() -> bytes:
    versions = " ".join(version(name) for name in _OTHERS)
    return bytes(kept_directory("test-databases", (*CODE, *_EARLIER), versions))


def _migrate_sqlite(file: Path, site: Path | None) -> None:
    _migrate(f"sqlite:///{file}", site, file.parent)
    with closing(sqlite3.connect(file)) as connection:  # all of it is in this one file then
        connection.execute("PRAGMA journal_mode = DELETE")


def _migrate_postgres(data: Path, site: Path | None) -> None:
    from tests.support.postgres_server import PostgresServer

    server = PostgresServer()
    try:
        _migrate(server.url, site, data.parent)
        server.keep(data)
    finally:
        server.remove()


def _migrate(url: str, site: Path | None, var: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.support.migrating", *([str(site)] if site else [])],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "DATABASE_URL": url,
            "FIREBOX_VAR_DIR": str(var),
        },
        check=True,
    )
