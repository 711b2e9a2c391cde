"""A real Redis server of a test's own: started, killed, and started again with its data."""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import redis

from tests.support.processes import free_port

_START_SECONDS = 60
_USERS = Path(__file__).parents[2] / "deploy" / "redis" / "users.acl"


class RedisServer:
    """Runs `redis-server` on a free local port, with an append-only file in its directory."""

    def __init__(self, directory: Path, users: str = "") -> None:
        """Choose a port; nothing runs yet. ``users`` is the content of an ACL file."""
        self._directory = directory
        self._users = users
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Start the server, and kill it in the end."""
        self.start()
        try:
            yield self
        finally:
            self.kill()

    def start(self) -> None:
        """Start the server, and return as soon as it answers with its data loaded."""
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--dir", str(self._directory), "--save", ""]
        command += ["--appendonly", "yes", "--appendfsync", "always"]
        if self._users:
            acl = self._directory / "users.acl"
            acl.write_text(f"{self._users}\nuser operator on >operator ~* &* +@all\n")
            command += ["--aclfile", str(acl)]
        with self._directory.joinpath("redis.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self._directory.joinpath("redis.log").read_text())
            time.sleep(0.02)

    def client(self) -> redis.Redis:
        name = "operator" if self._users else None
        return redis.Redis(port=self.port, username=name, password=name, decode_responses=True)

    def kill(self) -> None:
        """End the server with SIGKILL, as a power cut would; does nothing if it does not run."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was not started"
        return self._process.pid

    def forget(self) -> None:
        """Delete what a server that does not run has kept."""
        shutil.rmtree(self._directory / "appendonlydir")

    def clear(self) -> None:
        """Forget all queues and results."""
        with self.client() as client:
            client.flushall()

    def _answers(self) -> bool:
        """Return whether this server answers: another process may have taken the port."""
        assert self._process is not None, "it was not started"
        try:
            with self.client() as client:
                return bool(client.info("server")["process_id"] == self._process.pid)
        except redis.exceptions.ConnectionError:  # not listening yet, or still loading its file
            return False


class RedisWithUsers(RedisServer):
    """A Redis with a deployment's users, to which the site signs in."""

    def __init__(self, directory: Path) -> None:
        """Choose a port; nothing runs yet."""
        users = _USERS.read_text().replace("SITE_PASSWORD", "s").replace("GRADER_PASSWORD", "g")
        super().__init__(directory, users)

    @property
    def url(self) -> str:
        return f"redis://site:s@127.0.0.1:{self.port}/0"

    @property
    def stolen_url(self) -> str:
        """Return a grader's address of it."""
        return f"redis://grader:g@127.0.0.1:{self.port}/0"
