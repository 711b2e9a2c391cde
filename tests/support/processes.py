"""Real programs that tests start, wait for, kill and start again."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PATIENCE_SECONDS: Final = 120.0
"""After that what a test waits for will not come, however busy the host is."""
START_SECONDS: Final = 240.0
"""To load the site takes seconds of processor time, and a busy machine has a tenth of a core."""
_POLL_SECONDS: Final = 0.05
_MAX_POLL_SECONDS: Final = 0.25


def wait_until(
    condition: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS, why: str
) -> None:
    """Look again and again until the condition holds. Raises AssertionError when time is over.

    Looks take time from what is waited for: the longer it lasts, the rarer they are.
    """
    began = time.monotonic()
    while not condition():
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"not within {seconds:g} s: {why}")
        time.sleep(min(max(waited / 10, _POLL_SECONDS), _MAX_POLL_SECONDS))


def stats() -> dict[int, list[str]]:
    """Return the fields after the name in /proc/PID/stat, by process."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            text = (folder / "stat").read_text(errors="replace")
            found[int(folder.name)] = text.rpartition(")")[2].split()
    return found


def without_site() -> dict[str, str]:
    """Return this process's environment as that of a machine for grading, which has no site.

    pytest-django names the site's settings in it, and any Celery worker that finds them there loads
    the whole site, every page and check of it.
    """
    return {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}


_TASK: Final = re.compile(r"Task (\S+\[[^]]+\]) (\w+)")


def free_port() -> int:
    """Return a port of this machine on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Program:
    """A program in a process group of its own, with its output in a log file."""

    def __init__(
        self, name: str, command: Sequence[str], environment: Mapping[str, str], directory: Path
    ) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self._log = directory / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._read_from = 0

    @property
    def log(self) -> str:
        """Its log since its last start."""
        with self._log.open("rb") as file:
            file.seek(self._read_from)
            return file.read().decode(errors="replace")

    @property
    def is_running(self) -> bool:
        """Return whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def pids(self) -> list[int]:
        """Its processes: the one that was started, and all others of its group."""
        assert self._process is not None, f"{self.name} was not started"
        return [pid for pid, stat in stats().items() if int(stat[2]) == self._process.pid]

    def start(self) -> None:
        """Start it; it may take a while until it is of use."""
        with self._log.open("ab") as log:
            self._read_from = log.tell()
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def await_log(self, text: str, *, seconds: float = START_SECONDS) -> None:
        """Wait until it has written ``text``; fails at once if it ends before."""

        def written() -> bool:
            assert self._process is not None, f"{self.name} was not started"
            found = text in self.log
            if not found and self._process.poll() is not None:
                raise AssertionError(f"{self.name} ended:\n{self.log[-4000:]}")
            return found

        wait_until(written, seconds=seconds, why=f"{self.name} never wrote {text!r}")

    def tasks(self) -> list[str]:
        """Return the tasks that a worker of Celery has taken and not ended: NAME[ID]."""
        under_way: dict[str, None] = {}
        for task, what in _TASK.findall(self.log):
            if what == "received":
                under_way[task] = None
            else:
                under_way.pop(task, None)
        return list(under_way)

    def kill(self) -> None:
        """SIGKILL the whole group, as a power cut would; does nothing if it does not run."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, wait, and insist."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._signal(number)
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._process.wait()
        self._signal(signal.SIGKILL)
        self._process = None

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return
