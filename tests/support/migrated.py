"""An empty database of the site, which its migrations made once for all processes of a test run.

The migrations take 8 s of processor time; a copy of the file takes none. It is kept for the next
run with the same migrations and models. ``make test-deep`` makes it anew.
"""

import fcntl
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.depth import DEEP
from tests.support.kept_builds import ROOT, kept_directory
from tests.support.slots import WORLDS_VARIABLE

__all__ = ["CODE", "migrated_database"]

CODE: Final = (
    "webapp/**/migrations/*.py",
    "webapp/**/models.py",
    "webapp/**/models/*.py",
    "webapp/auditlog/digests.py",
    "webapp/auditlog/triggers.py",
    "webapp/interfaces.py",
    "webapp/storable.py",
    "webapp/timezones.py",
)
"""The code that makes the tables and the triggers, and of which permissions there are."""
_OTHERS: Final = ("django", "django-axes")
"""Distributions that have migrations of their own."""


def migrated_database() -> Path:
    """Return an SQLite file, to be copied, with the tables that the migrations make."""
    directory = _directory()
    file = directory / "migrated.sqlite3"
    with (directory / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            _migrate(file)
    return file


def _directory() -> Path:
    if DEEP:
        return Path(os.environ[WORLDS_VARIABLE])
    versions = " ".join(version(name) for name in _OTHERS)
    return kept_directory("test-databases", CODE, versions)


def _migrate(file: Path) -> None:
    with TemporaryDirectory(dir=file.parent) as directory:
        made = Path(directory, "made.sqlite3")
        subprocess.run(
            [sys.executable, "-m", "webapp", "migrate", "--verbosity", "0"],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "DATABASE_URL": f"sqlite:///{made}",
                "FIREBOX_VAR_DIR": directory,
            },
            check=True,
        )
        with closing(sqlite3.connect(made)) as connection:  # all of it is in this one file then
            connection.execute("PRAGMA journal_mode = DELETE")
        made.rename(file)
