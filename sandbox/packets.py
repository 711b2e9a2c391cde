"""Reads the supervisor's packets, as if they were hostile. Pure.

The supervisor is trusted; but an attacker who broke out of an agent's process into the container
could speak in its place. Whatever is not exactly the packet that was due is a SandboxLost, and no
other exception leaves this module. Their form is described in ``inside/supervisor.py``.
"""

import json
import os
import struct
from typing import Final

from sandbox.errors import SandboxLost

LARGEST: Final = 4096
"""The most bytes that are read of a packet."""
_EXIT_REPORT: Final = struct.Struct("=3xi4q14q")
"""The kernel's wait status and its ``struct rusage``, of which the first five figures are read:
seconds and microseconds of user time, the same of system time, and the peak memory in KiB."""
_MAX_FIGURE: Final = 1 << 50
"""No figure of a process is larger: 35 years in microseconds, an exbibyte in KiB."""


def read_greeting(packet: bytes) -> dict[str, object]:
    """Read the supervisor's description of itself and its kernel. Raises SandboxLost."""
    if packet[:1] != b"H":
        raise SandboxLost(f"the supervisor could not get ready: {_words(packet[1:])}")
    try:
        hello = json.loads(packet[1:])
    except (ValueError, RecursionError) as error:
        raise SandboxLost(f"the supervisor's greeting cannot be read: {error}") from error
    if not isinstance(hello, dict):
        raise SandboxLost("the supervisor's greeting is no object")
    return hello


def read_start(packet: bytes, pid: int) -> tuple[int, bool]:
    """Return the host's pid of the process that sent the packet once it was confined, and whether
    it may play more than one game. Raises SandboxLost.
    """
    if packet not in (b"P", b"M") or pid <= 0:
        raise SandboxLost(f"the supervisor could not start an agent: {_words(packet)}")
    return pid, packet == b"M"


def read_exit(packet: bytes) -> tuple[int, int, int, int]:
    """Return wait status, peak memory (KiB), user and system time (µs) of a process.

    Raises SandboxLost.
    """
    if packet[:1] != b"E" or len(packet) != 1 + _EXIT_REPORT.size:
        raise SandboxLost(f"the supervisor reported {packet[:40]!r} instead of an exit")
    status, *usage = _EXIT_REPORT.unpack(packet[1:])
    user, system, peak = usage[0] * 10**6 + usage[1], usage[2] * 10**6 + usage[3], usage[4]
    ended = 0 <= status <= 0xFFFF and (os.WIFEXITED(status) or os.WIFSIGNALED(status))
    if not ended or not all(0 <= figure <= _MAX_FIGURE for figure in (peak, user, system)):
        raise SandboxLost(f"the supervisor reported an impossible exit: {packet[1:]!r}")
    return status, peak, user, system


def _words(packet: bytes) -> str:
    return packet[:2000].decode(errors="backslashreplace")
