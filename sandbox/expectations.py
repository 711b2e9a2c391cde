"""Expected results of the probes in a container: one for each element of its specification."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox import container_spec
from sandbox.inside.root import LARGEST_FILE_BYTES

RUNTIME: Final = (
    "the runtime does not carry out what Docker orders: repair or replace it (FIREBOX_RUNTIME)"
)
_CGROUPS: Final = (
    "boot the kernel with this controller (docker info lists what is missing), "
    "and give Docker the cgroup driver that the host's init system uses"
)
SECCOMP: Final = "use a Docker and a runtime that were built with seccomp, on a kernel that has it"
LANDLOCK: Final = "add landlock to the kernel's lsm= list; it needs Linux 5.13 or newer"
_USERNS: Final = (
    "allow unprivileged user namespaces (user.max_user_namespaces, "
    "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); "
    "with AppArmor, let Docker's profile mount"
)
_ADAPTER: Final = "this installation of Firebox is damaged: install it again"


@dataclass(frozen=True, slots=True)
class Probe:
    """An expected fact. ``right`` judges the measured fact, given the container's parameters."""

    name: str
    tried: str
    expected: str
    right: "Callable[[str, container_spec.ContainerParameters], bool]"
    fix: str


def _is(*values: str) -> "Callable[[str, container_spec.ContainerParameters], bool]":
    return lambda fact, _: fact in values


def _refused(name: str, tried: str, fix: str, *, by: tuple[str, ...]) -> Probe:
    expected = f"it is refused with {by[0]}"
    return Probe(f"agent.{name}", tried, expected, lambda fact, _: fact in by, fix)


def _limited(name: str, what: str, right: Callable[[int], bool]) -> Probe:
    return Probe(
        f"agent.{name}",
        f"read an agent's limit of {what}",
        "it is set",
        lambda fact, _: fact.lstrip("-").isdigit() and right(int(fact)),
        _ADAPTER,
    )


def _bytes(fact: str, order: container_spec.ContainerParameters) -> bool:
    return fact == str(container_spec.container_mib(order.memory_mib) << 20)


def _swap(fact: str, order: container_spec.ContainerParameters) -> bool:
    return fact in {"0", "not counted, host has 0 kB"} or _bytes(fact, order)


_DEFAULT_WEIGHT: Final = 100
"""Weight of a control group of version 2, unless it was given another."""
_DEFAULT_SHARES: Final = 1024
"""Weight of a control group of version 1, unless it was given another."""


def _weighs(fact: str, _: container_spec.ContainerParameters) -> bool:
    """Version 2 counts otherwise, and runtimes translate in two ways: to 118 or 240."""
    return fact == str(container_spec.CPU_SHARES) or (
        fact.isdigit() and _DEFAULT_WEIGHT < int(fact) < _DEFAULT_SHARES
    )


_LIMITS_IN_WORDS: Final = " ".join(
    f"{name}={value}"
    for name, value in sorted({**container_spec.ULIMITS, "fsize": LARGEST_FILE_BYTES}.items())
)

PROBES: Final = (
    Probe(
        "container.network", "list the network's interfaces", "only lo",
        _is("lo"), RUNTIME,
    ),
    Probe(
        "container.mounts", "look for mounts that are not read-only", "none",
        _is(""), RUNTIME,
    ),
    Probe(
        "container.writable", "make a file wherever one might be made", "it is refused everywhere",
        _is(""), RUNTIME,
    ),
    Probe(
        "container.shared-memory", "look for /dev/shm", "it is not there",
        _is(""), RUNTIME,
    ),
    Probe(
        "container.ipc", "look at the IPC namespace", "another than the host's",
        lambda fact, _: fact.startswith("ipc:") and fact != _own_namespace("ipc"), RUNTIME,
    ),
    Probe(
        "container.pid-1", "read the supervisor's process number", "1",
        _is("1"), RUNTIME,
    ),
    Probe(
        "container.user", "read the user and group numbers", "those that were ordered",
        lambda fact, order: set(fact.split()) == {str(order.uid)}, RUNTIME,
    ),
    Probe(
        "container.capabilities", "read the five sets of capabilities", "all are empty",
        lambda fact, _: fact.split() == ["0" * 16] * 5, RUNTIME,
    ),
    Probe(
        "container.filter", "read the mode of the system-call filter", "2, a program",
        _is("2"), SECCOMP,
    ),
    Probe(
        "container.filtered-calls",
        "try io_uring, keyctl, bpf and others before the second filter is there",
        "the first one refuses them with EPERM",
        _is(""), SECCOMP,
    ),
    Probe(
        "container.core", "read which processors may be used", "the one that was ordered",
        lambda fact, order: fact == str(order.core), _CGROUPS,
    ),
    Probe(
        "container.cgroup", "look which version of control groups there is", "1 or 2",
        _is("1", "2"), _CGROUPS,
    ),
    Probe(
        "container.weight", "read the weight for the processor",
        f"{container_spec.CPU_SHARES}, or above {_DEFAULT_WEIGHT} in version 2",
        _weighs, _CGROUPS,
    ),
    Probe(
        "container.memory", "read the limit of memory, bytes", "what was ordered",
        _bytes, _CGROUPS,
    ),
    Probe(
        "container.swap", "read the limit of swap, bytes", "no more than memory alone",
        _swap, "boot with swapaccount=1, or turn the host's swap off (swapoff -a)",
    ),
    Probe(
        "container.pids", "read the limit of processes", str(container_spec.PIDS),
        _is(str(container_spec.PIDS)), _CGROUPS,
    ),
    Probe(
        "container.ulimits", "read the resource limits", _LIMITS_IN_WORDS,
        _is(_LIMITS_IN_WORDS), RUNTIME,
    ),
    Probe(
        "container.oom-score", "read who is killed first when memory runs out",
        str(container_spec.OOM_SCORE), _is(str(container_spec.OOM_SCORE)), RUNTIME,
    ),
    Probe(
        "container.environment", "list the environment", "nothing of the host's",
        _is("HOME HOSTNAME LANG PATH PYTHONHASHSEED PYTHONPATH on agent"), RUNTIME,
    ),
    _refused("files", "read a file that is none of its own", LANDLOCK, by=("EACCES",)),
    _refused("processes", "read /proc/1/status", _USERNS, by=("ENOENT",)),
    _refused("inodes", "stat /proc/self", _USERNS, by=("ENOENT",)),
    _refused("kernel-files", "stat /sys/fs", _USERNS, by=("ENOENT",)),
    _refused("host-load", "read /proc/loadavg", _USERNS, by=("ENOENT",)),
    _refused("harness", "list the supervisor's sources", _USERNS, by=("ENOENT",)),
    _refused("root", "write to /", LANDLOCK, by=("EACCES", "EROFS")),
    _refused("temporary-files", "write to /tmp", _USERNS, by=("ENOENT",)),
    _refused("shared-memory", "write to /dev/shm", _USERNS, by=("ENOENT",)),
    _refused("own-sources", "write to its own sources", LANDLOCK, by=("EACCES", "EROFS")),
    _refused("internet", "open an IPv4 socket", SECCOMP, by=("EPERM",)),
    _refused("unix-sockets", "open a unix socket", SECCOMP, by=("EPERM",)),
    _refused("vsock", "open a vsock socket", SECCOMP, by=("EPERM",)),
    _refused("ptrace", "call ptrace", SECCOMP, by=("EPERM",)),
    _refused("io-uring", "call io_uring_setup", SECCOMP, by=("EPERM",)),
    _refused("namespaces", "call unshare", SECCOMP, by=("EPERM",)),
    _refused("bpf", "call bpf", SECCOMP, by=("EPERM",)),
    _refused("signals", "signal the supervisor", SECCOMP, by=("EPERM",)),
    _refused("affinity", "move to another processor", SECCOMP, by=("EPERM",)),
    Probe(
        "agent.memory", "read an agent's limit of memory", "it is what was ordered",
        lambda fact, order: fact == str(order.memory_mib << 20), _ADAPTER,
    ),
    _limited("core-dumps", "core dumps", lambda limit: limit == 0),
    _limited("file-size", "the size of files", lambda limit: limit == 0),
    _limited("descriptors", "open files", lambda limit: 0 < limit <= 64),
    _limited("locked-memory", "locked memory", lambda limit: limit == 0),
)  # fmt: skip
"""The probes from inside; with those of ``check`` they cover each line of ``container_spec``."""


def _own_namespace(kind: str) -> str:
    return Path(f"/proc/self/ns/{kind}").readlink().as_posix()
