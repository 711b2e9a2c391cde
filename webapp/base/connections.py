"""Waitress, closing connections of clients that are too slow.

Waitress alone stops accepting when its connections are full, and closes only those that are silent:
a client that opens hundreds, and sends a byte on each now and then, shuts everybody else out.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

_OWN_DESCRIPTORS: Final = 2
"""The entries of Waitress' table that are no connections: listening socket and trigger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """The limits on a client's slowness."""

    silent_seconds: float = 30
    """Nothing is received, and nothing of an answer is taken, for longer than this."""
    request_seconds: float = 30
    """A request is complete after this time at the latest, and ..."""
    bytes_per_second: int = 500
    """... plus one second for this many bytes: Apache's MinRate has the same default."""


class _Connection(HTTPChannel):
    """A connection that knows how long its client has made it wait."""

    _request_began = 0.0
    """The start of the request that is being received."""
    _received_bytes = 0
    """The size of that request so far."""
    _is_dropped = False

    def received(self, data: bytes) -> bool:
        """Process received bytes; note when a request begins."""
        if self.request is None:
            self._request_began, self._received_bytes = time.time(), 0
        self._received_bytes += len(data)
        return bool(super().received(data))

    @property
    def is_served(self) -> bool:
        """Return whether a complete request waits for its answer, or is being answered."""
        return bool(self.requests)

    @property
    def waiting_since(self) -> float:
        """Return when the client could first have sent the missing bytes."""
        return self.last_activity if self.request is None else self._request_began

    def is_overdue(self, patience: Patience, now: float) -> bool:
        """Return whether the client is slower than it may be."""
        is_silent = now - self.last_activity > patience.silent_seconds
        if self.is_served:
            return is_silent and self.total_outbufs_len > 0
        earned = self._received_bytes / patience.bytes_per_second
        took = 0 if self.request is None else now - self._request_began
        return is_silent or took > patience.request_seconds + earned

    def readable(self) -> bool:
        """Return whether to wait for the client to send."""
        return not self._is_dropped and bool(super().readable())

    def writable(self) -> bool:
        """Return whether to wait for the client to take something."""
        return not self._is_dropped and bool(super().writable())

    def drop(self) -> None:
        """Close the connection at once, even if the client takes nothing more.

        From then on its descriptor may be another connection's, and must not be polled for this.
        """
        self._is_dropped = True
        self.handle_close()


class Server(TcpWSGIServer):
    """A server that always has room for one more connection, unless all are being served."""

    channel_class = _Connection

    def __init__(
        self,
        application: Callable[..., Any],
        *,
        connections: int,
        patience: Patience = Patience(),
        **adjustments: Any,
    ) -> None:
        """``connections`` is the maximum; ``adjustments`` are Waitress', with one socket."""
        limit = connections + _OWN_DESCRIPTORS
        waitress = Adjustments(connection_limit=limit, **adjustments)
        self._limit = connections
        (listener,) = waitress.sockets
        address = (listener.family, listener.type, listener.proto, listener.getsockname())
        self._patience = patience
        super().__init__(
            application, {}, _sock=listener, adj=waitress, sockinfo=address, bind_socket=False
        )

    def readable(self) -> bool:
        """Return whether another connection can be accepted; make room for it first."""
        connections = self._connections()
        if len(connections) >= self._limit:
            _make_room(connections)
        return bool(super().readable())

    def maintenance(self, now: float) -> None:
        """Close the connections of clients that are too slow."""
        for connection in self._connections():
            if connection.is_overdue(self._patience, now):
                connection.drop()

    def _connections(self) -> list[_Connection]:
        channels = cast("Mapping[int, _Connection]", self.active_channels)  # stubs
        return list(channels.values())


def _make_room(connections: Iterable[_Connection]) -> None:
    """Close the connection that has waited longest for its client, if one has."""
    idle = [connection for connection in connections if not connection.is_served]
    if idle:
        min(idle, key=lambda connection: connection.waiting_since).drop()
