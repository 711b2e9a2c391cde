"""A real PostgreSQL server of a test's own, as an unprivileged user, on a socket of its own.

Any command can be run with it, as its DATABASE_URL:

    python -m tests.support.postgres_server .venv/bin/pytest tests/webapp
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import dj_database_url
import psycopg
from django.db import connections

from tests.support.processes import wait_until

_START_SECONDS = 120
_NAME = "firebox"
"""Of the database, and of the role that owns it."""


class PostgresServer:
    """Runs `postgres` in a new directory: data, socket and log, all removed at the end."""

    def __init__(self, kept: Path | None = None) -> None:
        """Start it with an empty database, or with a copy of data that ``keep`` wrote.

        Raises FileNotFoundError if there is no PostgreSQL.
        """
        self._programs = programs()
        self._user = unprivileged_user()
        # Not in pytest's directory, which only its own user may enter.
        self._directory = Path(tempfile.mkdtemp(prefix="firebox-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        if self._user:
            shutil.chown(self._directory, self._user)
        if kept:
            self._take(kept)
            self.start()
        else:
            self._initialize()

    @property
    def url(self) -> str:
        return f"postgresql://{_NAME}@{quote(str(self._directory), safe='')}/{_NAME}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was not started"
        return self._process.pid

    def connect(self, database: str = _NAME) -> "psycopg.Connection[tuple[object, ...]]":
        """A connection past Django; each statement is committed at once."""
        return psycopg.connect(
            host=str(self._directory), user=_NAME, dbname=database, autocommit=True
        )

    def run(self, command: str, directory: Path) -> None:
        """Run a shell's command for the database in a directory. Fails with what it said."""
        environment = {**os.environ, "PGHOST": str(self._directory), "PGUSER": _NAME}
        done = subprocess.run(
            ["sh", "-ec", command], env=environment, cwd=directory, capture_output=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"

    def destroy(self) -> None:
        """Have an empty database in place of the one with all rows."""
        with self.connect("postgres") as connection:
            connection.execute(f"DROP DATABASE {_NAME} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {_NAME}")

    def start(self) -> None:
        """Start the server, and return as soon as it answers; does nothing if it runs."""
        if self._process is not None:
            return
        where = str(self._directory)
        options = {"listen_addresses": "", "unix_socket_directories": where, "fsync": "off"}
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self._process = self._run(["postgres", "-D", "data", *words])
        wait_until(self._answers, seconds=_START_SECONDS, why="PostgreSQL does not answer")

    def stop(self) -> None:
        """End the server and every connection to it; does nothing if it does not run."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # "fast": it does not wait for clients
            self._process.wait()
            self._process = None

    def keep(self, path: Path) -> None:
        """Stop it, and write its data into a new directory, for other servers to begin with."""
        self.stop()
        shutil.copytree(self._data, path)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._directory)

    @property
    def _data(self) -> Path:
        return self._directory / "data"

    def _initialize(self) -> None:
        made = ("--pgdata", "data", "--username", _NAME, "--auth", "trust", "--no-sync")
        small = ("--wal-segsize", "1")  # MiB; 16 would be copied with the data
        self._run(["initdb", *made, *small, "--encoding", "UTF8", "--locale", "C"]).wait()
        self.start()
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {_NAME}")

    def _take(self, kept: Path) -> None:
        shutil.copytree(kept, self._data)
        if self._user:
            for path in (self._data, *self._data.rglob("*")):
                shutil.chown(path, self._user)

    def _run(self, command: Sequence[str]) -> "subprocess.Popen[bytes]":
        with self._directory.joinpath("log").open("ab") as log:
            return subprocess.Popen(
                [str(self._programs / command[0]), *command[1:]],
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C is pytest's; its teardown ends the server
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else (),
            )

    def _answers(self) -> bool:
        assert self._process is not None, "it was not started"
        if self._process.poll() is not None:
            raise AssertionError(self._directory.joinpath("log").read_text())
        try:
            self.connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def as_default_database(url: str) -> Iterator[None]:
    """Django's default database is the one at ``url``, for all threads.

    Options of the settings hold for it too if the engine is the same.
    """
    usual = connections["default"]
    kept = connections.settings["default"]
    other = dj_database_url.parse(url)
    options = kept["OPTIONS"] if other["ENGINE"] == kept["ENGINE"] else {}
    connections.settings["default"] = {**kept, "OPTIONS": options, **other}
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = kept
        connections["default"] = usual


def programs() -> Path:
    """The folder of PostgreSQL's programs, not on Debian's PATH. Raises FileNotFoundError."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda path: int(path.parts[-3]), default=None)
    if newest is None:
        raise FileNotFoundError("PostgreSQL's programs are not installed")
    return newest.parent


def major_version() -> str:
    """Which versions of PostgreSQL read each other's data. Raises FileNotFoundError."""
    command = [str(programs() / "postgres"), "--version"]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return said.partition(") ")[2].partition(".")[0]


def unprivileged_user() -> str | None:
    """Whose the server is, for PostgreSQL refuses to run as root; ``None``: who runs the tests."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def main(command: Sequence[str]) -> int:
    """Run the command with a fresh database; its exit status."""
    server = PostgresServer()
    try:
        environment = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
