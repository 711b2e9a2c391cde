"""The supervisor's packets: read exactly, or the sandbox is lost, whatever is in them."""

import os
import socket
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.errors import SandboxLost
from sandbox.exits import exit_kind
from sandbox.inside.supervisor import ExitReport
from sandbox.packets import read_exit, read_greeting, read_start
from tests.support.every import every

EXITED, KILLED, STOPPED, CONTINUED = 3 << 8, 9, 0x137F, 0xFFFF


def end(status: int, peak: int = 1000, user: int = 5, system: int = 6) -> bytes:
    return struct.pack("=c3xi18q", b"E", status, 0, user, 0, system, peak, *[0] * 13)


def test_each_packet_is_read_as_the_supervisor_means_it() -> None:
    assert read_greeting(b'H{"landlock": 7}') == {"landlock": 7}
    with pytest.raises(SandboxLost, match=r"no Landlock \\xff"):
        read_greeting(b"!no Landlock \xff")
    assert read_start(b"P", 4711) == (4711, False)
    assert read_start(b"M", 4711) == (4711, True)
    packet = struct.pack("=c3xi18q", b"E", 0, 2, 3, 4, 5, 6, *[7] * 13)
    assert read_exit(packet) == (0, 6, 2_000_003, 4_000_005)


@every(
    "packet",
    [
        b"", b"H", b"H[]", b"H7", b'H"landlock"', b"H{", b"H\xff", b"H{}\x00", b"H" + b"[" * 4095,
        b"h{}", b"E", b"H" + b"9" * 4095,
    ],
)  # fmt: skip
def test_any_other_greeting_loses_the_sandbox(packet: bytes) -> None:
    with pytest.raises(SandboxLost):
        read_greeting(packet)


@every(("packet", "pid"), [(b"P", 0), (b"M", -1), (b"PP", 5), (b"MP", 5), (b"", 5), (b"E", 5)])
def test_any_other_start_loses_the_sandbox(packet: bytes, pid: int) -> None:
    with pytest.raises(SandboxLost, match="could not start an agent"):
        read_start(packet, pid)


@pytest.mark.parametrize("status", [0, EXITED, KILLED, 11 | 0x80])
def test_an_end_is_a_status_and_three_figures(status: int) -> None:
    assert read_exit(end(status)) == (status, 1000, 5, 6)


def test_a_report_is_forgotten_once_it_is_sent() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        report = ExitReport()
        child = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 3"], {})
        report.wait(child)
        assert bytes(report._packet) != bytes(ExitReport.SIZE)
        report.send(ours)
        assert bytes(report._packet) == bytes(ExitReport.SIZE)
        status, peak, user, system = read_exit(theirs.recv(4096))
    assert os.waitstatus_to_exitcode(status) == 3
    assert peak > 100
    assert 0 <= user + system < 10**6


@every(
    "packet",
    [
        b"", b"E", end(0)[:-1], end(0) + b"\0", b"P" + end(0)[1:], end(STOPPED), end(CONTINUED),
        end(-1), end(1 << 20), end(0, -1, 0, 0), end(0, 0, -1, 0), end(0, 0, 0, (1 << 63) - 1),
    ],
)  # fmt: skip
def test_any_other_end_loses_the_sandbox(packet: bytes) -> None:
    with pytest.raises(SandboxLost):
        read_exit(packet)


@given(st.integers(-(1 << 31), (1 << 31) - 1))
def test_every_status_that_is_read_has_words(status: int) -> None:
    try:
        read, *_ = read_exit(end(status))
    except SandboxLost:
        return
    exit_kind(read, killed_by_us=False)
