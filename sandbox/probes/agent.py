"""Facts that a confined process measures about itself. Standard library only."""

import os
import resource
import socket
from collections.abc import Callable
from typing import Final

from .attempts import AF_VSOCK, attempt, call, read, write

_ATTEMPTS: Final[dict[str, Callable[[], object]]] = {
    "agent.files": lambda: read("/nothing"),
    "agent.processes": lambda: read("/proc/1/status"),
    "agent.inodes": lambda: os.stat("/proc/self").st_ino,  # noqa: PTH116
    "agent.kernel-files": lambda: os.stat("/sys/fs").st_ino,  # noqa: PTH116
    "agent.host-load": lambda: read("/proc/loadavg"),
    "agent.harness": lambda: os.listdir("/opt/firebox/sandbox"),  # noqa: PTH208
    "agent.root": lambda: write("/probe"),
    "agent.temporary-files": lambda: write("/tmp/probe"),  # noqa: S108
    "agent.shared-memory": lambda: write("/dev/shm/probe"),  # noqa: S108
    "agent.own-sources": lambda: write("/agent/probe"),
    "agent.internet": lambda: socket.socket(socket.AF_INET),
    "agent.unix-sockets": lambda: socket.socket(socket.AF_UNIX),
    "agent.vsock": lambda: socket.socket(AF_VSOCK),
    "agent.ptrace": lambda: call("ptrace"),
    "agent.io-uring": lambda: call("io_uring_setup"),
    "agent.namespaces": lambda: call("unshare", 0),
    "agent.bpf": lambda: call("bpf"),
    "agent.signals": lambda: call("kill", 1, 0),
    "agent.affinity": lambda: os.sched_setaffinity(0, {0}),
}

_LIMITS: Final = {
    "agent.memory": resource.RLIMIT_AS,
    "agent.core-dumps": resource.RLIMIT_CORE,
    "agent.file-size": resource.RLIMIT_FSIZE,
    "agent.descriptors": resource.RLIMIT_NOFILE,
    "agent.locked-memory": resource.RLIMIT_MEMLOCK,
}


def facts() -> dict[str, str]:
    """Return the outcomes, by the probe's name."""
    attempts = {name: attempt(act) for name, act in _ATTEMPTS.items()}
    limits = {name: str(resource.getrlimit(limit)[1]) for name, limit in _LIMITS.items()}
    return attempts | limits
