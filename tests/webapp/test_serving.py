"""The server in front of the pages: who sends slowly holds no thread, and it ends as a whole."""

import os
import select
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.processes import START_SECONDS, Program, free_port, wait_until
from webapp.base.connections import Patience
from webapp.base.processes import fork, supervise

pytestmark = pytest.mark.slow

ANSWER_SECONDS = Patience().silent_seconds * 2 / 3
"""A page that waits until another connection is dropped takes longer than this."""
SETTINGS = {"FIREBOX_SECRET_KEY": "x1" * 30, "FIREBOX_MAX_UPLOAD_MIB": "1"}
PAGE = "/accounts/sign-in/"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the static files; the page asked for here reads no database."""
    directory = tmp_path_factory.mktemp("site")
    environment = {**os.environ, **SETTINGS, "FIREBOX_VAR_DIR": str(directory)}
    run = [sys.executable, "-m", "webapp", "collectstatic", "--no-input", "--verbosity=0"]
    subprocess.run(run, check=True, env=environment)
    return directory


@contextmanager
def serving(data: Path) -> Iterator[tuple[Program, int]]:
    """The server with two processes of two threads and 50 connections, and its port."""
    port = free_port()
    environment = {**os.environ, **SETTINGS, "FIREBOX_VAR_DIR": str(data)}
    environment["FIREBOX_SITE_URL"] = f"http://127.0.0.1:{port}"
    options = [f"--bind=127.0.0.1:{port}", "--processes=2", "--threads=2", "--connections=50"]
    program = Program(
        f"web-{port}", [sys.executable, "-m", "webapp.serve", *options], environment, data
    )
    program.start()
    try:
        wait_until(lambda: answers(port), seconds=START_SECONDS, why="the site does not answer")
        yield program, port
    finally:
        program.stop()


@pytest.fixture(scope="module")
def site(data: Path) -> Iterator[int]:
    with serving(data) as (_, port):
        yield port


def answers(port: int) -> bool:
    try:
        address = f"http://127.0.0.1:{port}{PAGE}"
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def test_unfinished_requests_hold_no_thread(site: int) -> None:
    with ExitStack() as stack:
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", site)))
            slow.sendall(
                f"POST {PAGE} HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\na=".encode()
            )
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", site)))
            slow.sendall(f"GET {PAGE} HTTP/1.1\r\nHo".encode())
        assert all(answers(site) for _ in range(8))


def test_idle_sockets_do_not_block_other_clients(site: int) -> None:
    with ExitStack() as stack:
        for number in range(300):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", site)))
            idle.sendall(b"GET / HTTP" * (number % 2))
        assert all(answers(site) for _ in range(8))


def test_a_body_beyond_any_upload_is_refused(site: int) -> None:
    with socket.create_connection(("127.0.0.1", site)) as client:
        client.sendall(
            f"POST {PAGE} HTTP/1.1\r\nHost: x\r\nContent-Length: {100 << 20}\r\n\r\n".encode()
        )
        assert b" 413 " in client.recv(4096).partition(b"\r\n")[0] + b" "


def test_a_course_file_is_larger_than_any_upload_and_gets_through(site: int) -> None:
    with closing(HTTPConnection("127.0.0.1", site, timeout=30)) as connection:
        connection.request("POST", "/import-course/", bytes(3 << 20))
        assert connection.getresponse().status == 403  # for want of a form's token: it was read


def test_when_one_process_ends_all_are_ended(data: Path) -> None:
    with serving(data) as (program, port):
        *_, child = sorted(program.pids())
        os.kill(child, signal.SIGKILL)
        wait_until(lambda: not program.is_running, why="the others go on")
        assert not answers(port)


def wait() -> None:
    """Wait as the server does, a moment at a time: a signal may come just before the wait."""
    while True:
        select.select([], [], [], 0.1)


def test_a_process_that_ends_is_not_hurried(tmp_path: Path) -> None:
    """systemd signals every process of the unit; so does the one in front."""
    begun, closing, go, done = (tmp_path / name for name in ("begun", "closing", "go", "done"))

    def act() -> None:
        try:
            begun.touch()
            wait()
        finally:
            closing.touch()
            wait_until(go.exists, why="the test did not go on")
            done.touch()

    child = fork(act)
    wait_until(begun.exists, why="it does not begin")
    os.kill(child, signal.SIGTERM)
    wait_until(closing.exists, why="it does not end")
    os.kill(child, signal.SIGTERM)
    go.touch()
    assert ended(child) == 0
    assert done.exists()


def test_a_process_that_fails_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    def act() -> None:
        raise ValueError("no such thing")

    assert ended(fork(act)) == 1
    assert "ValueError: no such thing" in capfd.readouterr().err


def test_a_process_that_ends_by_itself_makes_the_server_fail(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def act() -> None:
        os._exit(supervise([fork(wait), fork(lambda: None)]))

    assert ended(fork(act)) == 1
    assert "ended; so do the others" in capfd.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_processes_without_failure(number: signal.Signals) -> None:
    def act() -> None:
        os._exit(supervise([fork(wait), fork(wait)]))

    own = signal.signal(signal.SIGINT, signal.SIG_IGN)  # pytest's handler would be inherited
    try:
        child = fork(act)
    finally:
        signal.signal(signal.SIGINT, own)
    wait_until(lambda: caught(child, signal.SIGINT), why="it does not supervise")
    os.kill(child, number)
    assert ended(child) == 0


def caught(pid: int, number: signal.Signals) -> bool:
    """Return whether a process has a handler for a signal: proc(5), SigCgt."""
    status = Path(f"/proc/{pid}/status").read_text()
    mask = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(mask >> (number - 1) & 1)


def ended(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
