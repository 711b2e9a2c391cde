"""Messages from a sandbox's supervisor: each is understood, or the sandbox is lost."""

import os
import socket
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from sandbox.control import ControlSocket
from sandbox.errors import SandboxLost
from sandbox.exits import exit_kind
from tests.fuzz.pieces import Reader

LONGEST: Final = 5000
_MAX_PACKETS: Final = 6
_LONG_PACKET: Final = 4500
"""More than the host reads of a packet at once."""


def one(data: bytes) -> None:
    """Greet the host, start a process and report its end, with packets made of these bytes."""
    packets = _packets(Reader(data))
    with tempfile.TemporaryDirectory(prefix="firebox-fuzz-") as directory:
        path = Path(directory) / "control"
        with closing(ControlSocket(path)) as control, _supervisor(path) as supervisor:
            for packet, with_descriptor in packets:
                _send(supervisor, packet, with_descriptor=with_descriptor)
            supervisor.shutdown(socket.SHUT_WR)
            before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone
            with suppress(SandboxLost):
                _serve(control)
            after = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone
            assert after <= before, "kept a descriptor that a supervisor sent"


def _packets(reader: Reader) -> list[tuple[bytes, bool]]:
    """Short ones, each perhaps with a descriptor, and at the end perhaps one that is too long."""
    packets: list[tuple[bytes, bool]] = []
    while reader.more and len(packets) < _MAX_PACKETS:
        head = reader.byte()
        packet = reader.rest() if head & 0x7F == 0x7F else reader.take(head & 0x7F)
        packets.append((packet, head > 0x7F))
    return packets


def _supervisor(path: Path) -> socket.socket:
    supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    supervisor.connect(str(path))
    return supervisor


def _send(supervisor: socket.socket, packet: bytes, *, with_descriptor: bool) -> None:
    socket.send_fds(supervisor, [packet], [supervisor.fileno()] if with_descriptor else [])


def _serve(control: ControlSocket) -> None:
    """Do what a seat does for one game."""
    hello = control.accept(lambda: True)
    assert isinstance(hello, dict)
    descriptors = (0, 1, 2)
    pid, may_play_more = control.spawn(b"S", descriptors)
    assert pid > 0
    assert may_play_more in (False, True)
    report = control.wait_exit(1.0)
    assert report is not None
    status, peak_memory_kib, user_us, system_us = report
    assert min(peak_memory_kib, user_us, system_us) >= 0
    exit_kind(status, killed_by_us=False)
