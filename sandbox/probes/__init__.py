"""The probes of ``firebox check``: run in a confined process, where each of them must fail.

Standard library only: this runs inside the container, in the place of an agent.
"""

import ctypes
import errno
import json
import os
import resource
import socket
from collections.abc import Callable

_libc = ctypes.CDLL(None, use_errno=True)
_SYSCALLS_BY_MACHINE = {
    "x86_64": {"ptrace": 101, "io_uring_setup": 425, "unshare": 272, "bpf": 321, "kill": 62},
    "aarch64": {"ptrace": 117, "io_uring_setup": 425, "unshare": 97, "bpf": 280, "kill": 129},
}
_AF_VSOCK = 40

Outcome = tuple[str, str, str, str, bool]
"""Name, what was tried, what should happen, what happened, whether that is right."""


def play(_agent: str, _artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """Answer the one line that arrives with the outcomes as a line of JSON."""
    os.read(stdin_fd, 64)
    outcomes = [*_refusals(), *_limits()]
    os.write(stdout_fd, json.dumps(outcomes).encode() + b"\n")


def echo(_agent: str, _artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """Send back an empty line for every chunk that arrives: what the pipes themselves cost."""
    while os.read(stdin_fd, 65536):
        os.write(stdout_fd, b"\n")


def _refusals() -> list[Outcome]:
    calls = _SYSCALLS_BY_MACHINE[os.uname().machine]
    probes: list[tuple[str, str, Callable[[], object]]] = [
        ("files", "read /etc/passwd", lambda: _read("/etc/passwd")),
        ("processes", "read /proc/1/status", lambda: _read("/proc/1/status")),
        ("inode numbers", "stat /proc/self", lambda: os.stat("/proc/self").st_ino),  # noqa: PTH116
        ("host load", "read /proc/loadavg", lambda: _read("/proc/loadavg")),
        ("harness", "read the supervisor's source", lambda: _read("/opt/firebox/sandbox")),
        ("root", "write to /", lambda: _write("/probe")),
        ("temporary files", "write to /tmp", lambda: _write("/tmp/probe")),  # noqa: S108
        ("shared memory", "write to /dev/shm", lambda: _write("/dev/shm/probe")),  # noqa: S108
        ("own sources", "write to /agent", lambda: _write("/agent/probe")),
        ("internet", "open an IPv4 socket", lambda: socket.socket(socket.AF_INET)),
        ("unix sockets", "open a unix socket", lambda: socket.socket(socket.AF_UNIX)),
        ("vsock", "open a vsock socket", lambda: socket.socket(_AF_VSOCK)),
        ("ptrace", "call ptrace", lambda: _call(calls["ptrace"])),
        ("io_uring", "call io_uring_setup", lambda: _call(calls["io_uring_setup"])),
        ("namespaces", "call unshare", lambda: _call(calls["unshare"])),
        ("bpf", "call bpf", lambda: _call(calls["bpf"])),
        ("signals", "signal the supervisor", lambda: _call(calls["kill"], 1, 0)),
    ]
    return [_refused(name, tried, probe) for name, tried, probe in probes]


def _refused(name: str, tried: str, probe: Callable[[], object]) -> Outcome:
    try:
        happened = f"it worked: {probe()!r}"[:200]
        ok = False
    except OSError as error:
        happened = errno.errorcode.get(error.errno or 0, str(error))
        ok = True
    return name, tried, "it is refused", happened, ok


def _limits() -> list[Outcome]:
    expected: dict[str, tuple[int, Callable[[int], bool]]] = {
        "memory": (resource.RLIMIT_AS, lambda limit: 0 < limit < 1 << 31),
        "core dumps": (resource.RLIMIT_CORE, lambda limit: limit == 0),
        "file size": (resource.RLIMIT_FSIZE, lambda limit: limit == 0),
        "descriptors": (resource.RLIMIT_NOFILE, lambda limit: 0 < limit <= 64),
        "locked memory": (resource.RLIMIT_MEMLOCK, lambda limit: limit == 0),
    }
    outcomes = []
    for name, (limit, is_right) in expected.items():
        hard = resource.getrlimit(limit)[1]
        outcomes.append((name, f"read the limit of {name}", "it is set", str(hard), is_right(hard)))
    return outcomes


def _read(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY)
    return os.read(descriptor, 20).decode(errors="replace")


def _write(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)


def _call(number: int, *arguments: int) -> int:
    result = int(_libc.syscall(number, *(arguments or (0, 0, 0, 0, 0))))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
