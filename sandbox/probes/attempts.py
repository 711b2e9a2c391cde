"""Attempts that must fail, and their outcomes. Standard library only."""

import ctypes
import errno
import os
from collections.abc import Callable
from typing import Final

_libc = ctypes.CDLL(None, use_errno=True)

CALLS_OF: Final = {
    "x86_64": {
        "bpf": 321, "io_uring_setup": 425, "keyctl": 250, "kill": 62, "memfd_create": 319,
        "perf_event_open": 298, "ptrace": 101, "unshare": 272, "userfaultfd": 323,
    },
    "aarch64": {
        "bpf": 280, "io_uring_setup": 425, "keyctl": 219, "kill": 129, "memfd_create": 279,
        "perf_event_open": 241, "ptrace": 117, "unshare": 97, "userfaultfd": 282,
    },
}  # fmt: skip
"""Numbers of the system calls that probes try, by processor."""
_CALLS: Final = CALLS_OF[os.uname().machine]

AF_VSOCK: Final = 40
UNKNOWN: Final = "could not be found out: "
"""Prefix of a fact that could not be measured."""


def attempt(act: Callable[[], object]) -> str:
    """Return the name of the error, such as ``EPERM``, or that the attempt worked."""
    try:
        return f"it worked: {act()!r}"[:200]
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))


def read(path: str) -> str:
    """Read the beginning of a file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 20).decode(errors="replace")
    finally:
        os.close(descriptor)


def write(path: str) -> str:
    """Create a file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path


def call(name: str, *arguments: int) -> int:
    """Make a system call by its name, with meaningless arguments."""
    result = int(_libc.syscall(_CALLS[name], *(arguments or (-1, 0, 0, 0, 0))))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
