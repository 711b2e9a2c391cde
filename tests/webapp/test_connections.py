"""Connections to the site: who is slow is cut off, who is served is not."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from waitress.wasyncore import close_all

from tests.support.processes import PATIENCE_SECONDS, wait_until
from webapp.base.connections import Patience, Server

REQUEST = b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n"
ANSWER_BYTES = 8 << 20
"""More than the system's buffers of one connection take."""


class Pages:
    """An application: "/large" streams a large answer, "/waits" waits until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.began: list[str] = []
        self.ended: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return self._body(environ["PATH_INFO"])

    def _body(self, path: str) -> Iterator[bytes]:
        self.began.append(path)
        try:
            if path == "/waits":
                self.may_go_on.wait(PATIENCE_SECONDS)
            for _ in range(8 if path == "/large" else 1):
                yield b"x" * (ANSWER_BYTES // 8 if path == "/large" else 1)
        finally:
            self.ended.append(path)


class Stoppable(Server):
    is_over = False

    def maintenance(self, now: float) -> None:
        """End, or do as the server does."""
        super().maintenance(now)
        if self.is_over:
            close_all(self._map)  # type: ignore[attr-defined]  # stubs; its loop ends with its last entry


@contextmanager
def serving(pages: Pages, patience: Patience, connections: int = 8) -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = Stoppable(
        pages,
        connections=connections,
        patience=patience,
        sockets=[listener],
        threads=2,
        cleanup_interval=0,
        outbuf_high_watermark=1 << 16,
        asyncore_use_poll=True,
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        pages.may_go_on.set()
        server.is_over = True
        server.pull_trigger()
        thread.join(PATIENCE_SECONDS)


@pytest.fixture
def pages() -> Pages:
    return Pages()


def connect(port: int, stack: ExitStack) -> socket.socket:
    client = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
    client.settimeout(20)
    return client


def is_closed(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.slow
def test_a_silent_connection_is_closed(pages: Pages) -> None:
    with ExitStack() as stack:
        port = stack.enter_context(serving(pages, Patience(silent_seconds=0.1)))
        assert is_closed(connect(port, stack))


@pytest.mark.slow
def test_a_slow_sender_is_cut_off(pages: Pages) -> None:
    patience = Patience(request_seconds=0.2, bytes_per_second=10_000)
    with ExitStack() as stack:
        port = stack.enter_context(serving(pages, patience))
        client = connect(port, stack)

        def is_refused() -> bool:
            try:
                client.sendall(b"x")
            except OSError:
                return True
            return False

        wait_until(is_refused, why="it may go on for ever")


def test_a_steady_sender_is_not_cut_off(pages: Pages) -> None:
    patience = Patience(request_seconds=0, bytes_per_second=1)
    with ExitStack() as stack:
        port = stack.enter_context(serving(pages, patience))
        client = connect(port, stack)
        client.sendall(REQUEST[:-2] % b"steady")
        idle = connect(port, stack)
        idle.sendall(REQUEST % b"other")
        assert idle.recv(4) == b"HTTP"
        client.sendall(REQUEST[-2:])
        assert client.recv(4) == b"HTTP"


@pytest.mark.slow
def test_a_client_that_does_not_read_holds_no_thread(pages: Pages) -> None:
    with ExitStack() as stack:
        port = stack.enter_context(serving(pages, Patience(silent_seconds=0.3)))
        clients = [connect(port, stack) for _ in range(2)]
        for client in clients:
            client.sendall(REQUEST % b"large")
        wait_until(lambda: len(pages.ended) == 2, why="the threads are held")


def test_a_request_in_progress_keeps_its_connection_when_all_are_taken(pages: Pages) -> None:
    with ExitStack() as stack:
        port = stack.enter_context(serving(pages, Patience(), connections=4))
        served = connect(port, stack)
        served.sendall(REQUEST % b"waits")
        wait_until(lambda: pages.began == ["/waits"], why="it does not begin")
        idle = [connect(port, stack) for _ in range(4)]
        assert is_closed(idle[0])
        last = connect(port, stack)
        last.sendall(REQUEST % b"last")
        assert last.recv(4) == b"HTTP"
        pages.may_go_on.set()
        assert served.recv(4) == b"HTTP"
