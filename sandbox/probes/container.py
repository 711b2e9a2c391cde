"""Facts about a container, measured by its first process. Standard library only.

It runs before that process hides /proc: what an agent could not see can be read here. Control
groups show themselves in two ways, as version 1 (a directory a controller) and as version 2.
"""

import os
import resource
import socket
from collections.abc import Callable
from functools import partial
from typing import Final

from .attempts import AF_VSOCK, UNKNOWN, attempt, call, write

_OURS: Final = ("/", "/adapter", "/agent", "/build", "/opt/firebox", "/run/firebox")
_PLACES: Final = (
    "/", "/tmp", "/dev", "/dev/shm", "/dev/mqueue", "/run", "/run/firebox", "/agent", "/build",  # noqa: S108
    "/adapter", "/opt/firebox", "/etc", "/proc",
)  # fmt: skip
"""Places where a file could perhaps be made. Not in /sys: crun leaves a place there that can be
written, which the supervisor hides before there is any agent; see ``agent.kernel-files``."""
_CALLS: Final = (
    "bpf",
    "io_uring_setup",
    "keyctl",
    "memfd_create",
    "perf_event_open",
    "userfaultfd",
)
_CGROUP: Final = "/sys/fs/cgroup"
_LIMITS: Final = {
    "core": resource.RLIMIT_CORE,
    "nofile": resource.RLIMIT_NOFILE,
    "fsize": resource.RLIMIT_FSIZE,
    "memlock": resource.RLIMIT_MEMLOCK,
    "msgqueue": resource.RLIMIT_MSGQUEUE,
    "sigpending": resource.RLIMIT_SIGPENDING,
}


def facts() -> dict[str, str]:
    """Return the findings, by the probe's name; an error's words where there was one."""
    return {name: _outcome_of(look) for name, look in _LOOKS.items()}


def _outcome_of(look: Callable[[], str]) -> str:
    try:
        return look()
    except (OSError, ValueError, LookupError) as error:
        return f"{UNKNOWN}{error}"


def _interfaces() -> str:
    lines = _lines("/proc/self/net/dev")[2:]
    return " ".join(line.partition(":")[0].strip() for line in lines)


def _writable_mounts() -> str:
    options = {fields[4]: fields[5].split(",") for fields in map(str.split, _mounts())}
    return " ".join(place for place in _OURS if "ro" not in options.get(place, ()))


def _writable_places() -> str:
    outcomes = {place: attempt(partial(write, f"{place}/probe")) for place in _PLACES}
    return " ".join(place for place, outcome in outcomes.items() if outcome.startswith("it worked"))


def _shared_memory() -> str:
    return " ".join(line.split()[4] for line in _mounts() if line.split()[4] == "/dev/shm")  # noqa: S108


def _filtered_calls() -> str:
    outcomes = {name: attempt(partial(call, name)) for name in _CALLS}
    outcomes["vsock"] = attempt(lambda: socket.socket(AF_VSOCK))
    outcomes["internet"] = attempt(lambda: socket.socket(socket.AF_INET))
    return " ".join(f"{name}:{outcome}" for name, outcome in outcomes.items() if outcome != "EPERM")


def _status(*names: str) -> Callable[[], str]:
    def look() -> str:
        pairs = dict(line.split(":", 1) for line in _lines("/proc/self/status") if ":" in line)
        return " ".join(" ".join(pairs[name].split()) for name in names)

    return look


def _cgroup(version_1: str, version_2: str) -> Callable[[], str]:
    def look() -> str:
        return _lines(f"{_CGROUP}/{version_2 if _cgroup_version() == '2' else version_1}")[0]

    return look


def _cgroup_version() -> str:
    return "2" if os.path.exists(f"{_CGROUP}/cgroup.controllers") else "1"  # noqa: PTH110


def _swap() -> str:
    """Bytes of memory and swap together, as version 1 counts; of swap alone on version 2.

    A kernel that does not count swap can only be right on a host that has none.
    """
    version_1, version_2 = "memory/memory.memsw.limit_in_bytes", "memory.swap.max"
    try:
        return _cgroup(version_1, version_2)()
    except FileNotFoundError:
        (total,) = (line.split()[1] for line in _lines("/proc/meminfo") if line[:9] == "SwapTotal")
        return f"not counted, host has {total} kB"


def _limits() -> str:
    return " ".join(
        f"{name}={resource.getrlimit(limit)[1]}" for name, limit in sorted(_LIMITS.items())
    )


def _environment() -> str:
    return " ".join([*sorted(os.environ), f"on {os.uname().nodename}"])


def _mounts() -> list[str]:
    return _lines("/proc/self/mountinfo")


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
        return lines.read().splitlines()


_LOOKS: Final[dict[str, Callable[[], str]]] = {
    "container.network": _interfaces,
    "container.mounts": _writable_mounts,
    "container.writable": _writable_places,
    "container.shared-memory": _shared_memory,
    "container.ipc": lambda: os.readlink("/proc/self/ns/ipc"),  # noqa: PTH115
    "container.pid-1": lambda: str(os.getpid()),
    "container.user": _status("Uid", "Gid"),
    "container.capabilities": _status("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"),
    "container.filter": _status("Seccomp"),
    "container.filtered-calls": _filtered_calls,
    "container.core": _status("Cpus_allowed_list"),
    "container.cgroup": _cgroup_version,
    "container.weight": _cgroup("cpu/cpu.shares", "cpu.weight"),
    "container.memory": _cgroup("memory/memory.limit_in_bytes", "memory.max"),
    "container.swap": _swap,
    "container.pids": _cgroup("pids/pids.max", "pids.max"),
    "container.ulimits": _limits,
    "container.oom-score": lambda: _lines("/proc/self/oom_score_adj")[0],
    "container.environment": _environment,
}
