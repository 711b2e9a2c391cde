"""The specification of a sandbox's container: fixed, but for a few values checked here.

Nothing an agent, a student or the site says reaches Docker as text. Each value that varies is one
of ``ContainerParameters``, which refuses everything that our own code would not produce: a wrong
value is an error of ours, or an attack on the host.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from docker.types import Mount, Ulimit

from sandbox.errors import HostError
from sandbox.limits import BOUNDS, RUNTIME_ROOM
from sandbox.program import Purpose
from sandbox.seccomp import container_filter

LABEL: Final = "firebox"
"""Prefix of the labels on everything of ours in Docker."""
OWNER_LABEL: Final = f"{LABEL}.owner"
NAMESPACE_LABEL: Final = f"{LABEL}.namespace"
"""Label of the PID namespace in which the owner's name means something."""
SANDBOX_LABEL_VALUE: Final = "seat"
"""The value of ``LABEL`` on a sandbox's container."""

RUNTIMES: Final = ("runc", "crun", "runsc")
"""OCI runtimes that ``FIREBOX_RUNTIME`` may name; the first is the default."""

CGROUP_PARENTS: Final = {"cgroupfs": "/", "systemd": "-.slice"}
"""The host's first control group, as Docker's driver for control groups calls it.

In Docker's own group, all containers together would weigh as much as one service of the host, and
sandboxes would starve beside other services.
"""
CPU_SHARES: Final = 3072
"""A container's weight where others want the same processor; a service of the host has 1024.

Sandboxes come first, yet a site on the same host still answers while all cores play.
"""

FIRST_UID: Final = 1 << 30
"""Below are the host's own users and what Docker maps; containers' users lie above."""
_LAST_UID: Final = (1 << 31) - 1
_MAX_CORES: Final = 4096
_MEMORY_MIB: Final = (BOUNDS["memory_mib"][0], BOUNDS["memory_mib"][1] + RUNTIME_ROOM["memory_mib"])
_SUPERVISOR_MIB: Final = 48
"""Memory of the container beyond the agent's own limit: the supervisor and page tables."""
PIDS: Final = 8
"""Processes and threads of a container, those of a language's runtime not counted."""
MAX_THREADS: Final = 32
OOM_SCORE: Final = 500
"""The supervisor's score for the OOM killer: an agent's process, which takes 1000, ends before it,
and other processes of the host end after it."""
BUILDER_PIDS: Final = 8
"""Additional processes and threads in a builder."""
SCRATCH_MIB: Final = 64
"""Temporary files of a builder, which count as memory."""
ULIMITS: Final = {"core": 0, "nofile": 128, "memlock": 0, "msgqueue": 0, "sigpending": 64}
"""Set by Docker. Not ``fsize``: crun limits itself along with the container, and then cannot write
what it has to. The supervisor sets that one to 0 before anything else."""
PATHS: Final = {
    "control": "/run/firebox/socket",
    "adapter": "/adapter",
    "agent": "/agent",
    "build": "/build",
}
"""The paths in the container of the directories that the configuration names."""
_TARGETS: Final = {
    "control": "/run/firebox",
    "supervisor": "/opt/firebox",
    "adapter": "/adapter",
    "agent": "/agent",
    "build": "/build",
}
"""Mount points in the container, by directory of a sandbox."""
_SUPERVISOR_COMMAND: Final = (
    "/usr/bin/python3", "-s", "-S", "-P", "-B", "/opt/firebox/sandbox/inside/supervisor.py",
)  # fmt: skip
_IMAGE: Final = re.compile(r"firebox-[a-z][a-z0-9-]{0,30}:[0-9a-f]{12}")
_OWNER: Final = re.compile(r"[0-9]{1,10}\.[0-9]{1,20}")
_NAMESPACE: Final = re.compile(r"[0-9]{1,20}")
_SOURCE: Final = re.compile(r"(/[A-Za-z0-9_.+-]+)*/firebox-seat-[0-9]+-[0-9]+\.[0-9]+-[a-z0-9_]+")
_LONGEST_CONFIGURATION: Final = 32 << 10


def oci_runtime() -> str:
    """Return the runtime that ``FIREBOX_RUNTIME`` names. Raises HostError if it is unknown."""
    name = os.environ.get("FIREBOX_RUNTIME", "").strip() or RUNTIMES[0]
    if name not in RUNTIMES:
        raise HostError(f"FIREBOX_RUNTIME={name}: it must be one of {', '.join(RUNTIMES)}")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerParameters:
    """The values that differ between containers. Raises HostError if one is invalid."""

    image: str
    configuration: str
    """The supervisor's only argument."""
    directory: Path
    """The sandbox's own directory, which contains the directories in ``_TARGETS``."""
    uid: int
    memory_mib: int
    """The agent's own limit."""
    core: int | None
    """The processor it is bound to; ``None`` leaves that to the kernel."""
    threads: int
    """Threads that the language's runtime starts beside the agent's own."""
    purpose: Purpose
    """A builder may have more processes and writes temporary files. A container for debugging loads
    the sanitizers' libraries before everything else."""
    runtime: str
    cgroup_parent: str
    """One of ``CGROUP_PARENTS``."""
    owner: str
    namespace: str
    """The owner's PID namespace."""

    def __post_init__(self) -> None:
        right = {
            "image": _matches(_IMAGE, self.image),
            "configuration": len(self.configuration) <= _LONGEST_CONFIGURATION,
            "directory": is_mountable(self.directory) and _is_plain(self.directory),
            "uid": _is_within(self.uid, FIRST_UID, _LAST_UID),
            "memory_mib": _is_within(self.memory_mib, *_MEMORY_MIB),
            "threads": _is_within(self.threads, 0, MAX_THREADS),
            "purpose": type(self.purpose) is Purpose,
            "core": self.core is None or _is_within(self.core, 0, _MAX_CORES - 1),
            "runtime": self.runtime in RUNTIMES,
            "cgroup_parent": self.cgroup_parent in CGROUP_PARENTS.values(),
            "owner": _matches(_OWNER, self.owner),
            "namespace": _matches(_NAMESPACE, self.namespace),
        }
        for name, is_right in right.items():
            if not is_right:
                raise HostError(f"no container is made with {name} = {getattr(self, name)!r:.200}")


def is_mountable(directory: Path) -> bool:
    """Return whether the path of a sandbox's directory is one that Docker is given."""
    return _matches(_SOURCE, str(directory))


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_within(value: object, low: float, high: float) -> bool:
    return type(value) is int and low <= value <= high


def _is_plain(directory: Path) -> bool:
    """No part of the path is a link, and everything that is mounted is there."""
    return directory.resolve() == directory and all(
        (directory / name).is_dir() and not (directory / name).is_symlink() for name in _TARGETS
    )


def container_mib(memory_mib: int, *, builder: bool = False) -> int:
    """Memory of the whole container for an agent's limit, or a compiler's."""
    return memory_mib + _SUPERVISOR_MIB + (SCRATCH_MIB if builder else 0)


def docker_arguments(parameters: ContainerParameters) -> dict[str, Any]:
    """Return the container's specification as arguments for Docker's Python package.

    ``network_mode`` alone already gives it a network namespace with nothing but loopback.
    ``network_disabled`` also spares the hook by which Docker would note that namespace. The hook
    starts Docker's whole daemon once more: 40% of the processor time that a container costs.
    """
    return {
        **_process(parameters),
        **_confinement(parameters),
        **_resources(parameters),
        "log_config": {"Type": "none", "Config": {}},
        "restart_policy": {"Name": "no"},
        "auto_remove": True,
        "detach": True,
        "labels": {
            LABEL: SANDBOX_LABEL_VALUE,
            OWNER_LABEL: parameters.owner,
            NAMESPACE_LABEL: parameters.namespace,
        },
    }


def _process(parameters: ContainerParameters) -> dict[str, Any]:
    return {
        "image": parameters.image,
        "command": [*_SUPERVISOR_COMMAND, parameters.configuration],
        "init": False,  # whatever Docker's own configuration says: the supervisor is PID 1
        "runtime": parameters.runtime,
        "user": f"{parameters.uid}:{parameters.uid}",
        "hostname": "agent",
        "working_dir": "/",
        "environment": {
            "PYTHONPATH": "/opt/firebox",
            "PYTHONHASHSEED": "0",
            "LANG": "C.UTF-8",
            "HOME": "/",
            **(_CHECKS if parameters.purpose is Purpose.DEBUG else {}),
        },
        "use_config_proxy": False,  # proxies of ~/.docker/config.json, with their passwords
    }


def _confinement(parameters: ContainerParameters) -> dict[str, Any]:
    builder = parameters.purpose is Purpose.BUILD
    return {
        "network_mode": "none",
        "network_disabled": True,
        "ipc_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={container_filter(builder=builder)}"],
        "tmpfs": _SCRATCH if builder else {},
        "mounts": [
            Mount(target=target, source=str(parameters.directory / name), type="bind",
                  read_only=True)
            for name, target in _TARGETS.items()
        ],
    }  # fmt: skip


def _resources(parameters: ContainerParameters) -> dict[str, Any]:
    builder = parameters.purpose is Purpose.BUILD
    memory = f"{container_mib(parameters.memory_mib, builder=builder)}m"
    return {
        "pids_limit": PIDS + parameters.threads + (BUILDER_PIDS if builder else 0),
        "mem_limit": memory,
        "memswap_limit": memory,
        "mem_swappiness": 0,
        "oom_score_adj": OOM_SCORE,
        "cgroup_parent": parameters.cgroup_parent,
        "cpu_shares": CPU_SHARES,
        "cpuset_cpus": "" if parameters.core is None else str(parameters.core),
        "ulimits": _ulimits(ULIMITS),
    }


_CHECKS: Final = {
    "LD_PRELOAD": "libasan.so.8:libubsan.so.1",
    "ASAN_OPTIONS": (
        "detect_leaks=0:detect_stack_use_after_return=1:malloc_context_size=12:print_legend=0"
        ":quarantine_size_mb=64:max_allocation_size_mb=1024:exitcode=70"
    ),
}
"""Options of the sanitizers. A report ends the process with an adapter's status for a crash."""
_SCRATCH: Final = {"/tmp": f"rw,nosuid,nodev,noexec,mode=1777,size={SCRATCH_MIB}m"}  # noqa: S108


def _ulimits(limits: Mapping[str, int]) -> list[Ulimit]:
    return [Ulimit(name=name, soft=value, hard=value) for name, value in limits.items()]
