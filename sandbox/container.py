"""Seats in Docker containers: the confinement recipe, and the reaper.

The specification below is fixed but for values that are validated here or made here; nothing an
agent, a student or the site says reaches Docker as text. Game messages never pass through Docker:
its daemon only starts and removes the container.
"""

import functools
import itertools
import os
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import docker
import docker.errors
import requests.exceptions
from docker.types import Mount, Ulimit

from sandbox.errors import HostError, SandboxError
from sandbox.images import LABEL, ensure_image
from sandbox.limits import Limits
from sandbox.program import Program, SeatDirectory, configuration
from sandbox.scratch import owner, owner_lives
from sandbox.seat import ControlSocket, Seat
from sandbox.seccomp import container_filter

_FIRST_UID: Final = 1 << 30
_USERS: Final = 64
"""User numbers that a process gives to its containers, one after the other."""
_SUPERVISOR_MIB: Final = 48
"""Memory of the container beyond the agent's own limit: the supervisor and page tables."""
_PIDS: Final = 8
_SUPERVISOR_COMMAND: Final = (
    "/usr/bin/python3", "-s", "-S", "-P", "-B", "/opt/firebox/sandbox/inside/supervisor.py",
)  # fmt: skip
_PATHS: Final = {
    "control": "/run/firebox/socket",
    "adapter": "/adapter",
    "agent": "/agent",
    "build": "/build",
}
_OWNER_LABEL: Final = f"{LABEL}.owner"
_API_SECONDS: Final = 60
_LOOK_SECONDS: Final = 0.5
_counter = itertools.count()


@dataclass(slots=True)
class ContainerSeat:
    """A container that serves one seat until it is closed."""

    seat: Seat
    hello: dict[str, object]
    image: str
    directory: SeatDirectory
    _control: ControlSocket
    _container: Any

    def put_artefact(self, artefact: bytes) -> None:
        """Give later games the outcome of a build step."""
        self.directory.put_artefact(artefact)

    def close(self) -> None:
        """Remove the container and everything it used. Raises HostError if Docker will not."""
        self._control.close()
        self.directory.remove()
        try:
            _remove(self._container)
        finally:
            self._container.client.close()


def open_container(
    program: Program, limits: Limits, *, core: int | None, runtime: str = "python"
) -> ContainerSeat:
    """Start a hardened container for one seat and wait until its supervisor answers.

    ``core`` is the processor it is bound to. Takes about a quarter of a second. Raises HostError
    (ImageMissing among them) or SeatLost, leaving nothing behind.
    """
    image = ensure_image(runtime)
    directory = SeatDirectory(program)
    control = ControlSocket(directory.socket)
    client = _client()
    container = None
    try:
        specification = _specification(program, limits, directory, image, core)
        container = client.containers.create(**specification)
        container.start()
        hello = control.accept(functools.partial(_is_running, container))
        _require_landlock(hello)
    except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
        _clean_up(control, directory, container, client)
        raise HostError(f"Docker could not start a sandbox: {error}") from error
    except (SandboxError, OSError):
        _clean_up(control, directory, container, client)
        raise
    return ContainerSeat(Seat(control, limits), hello, image, directory, control, container)


def _specification(
    program: Program, limits: Limits, directory: SeatDirectory, image: str, core: int | None
) -> dict[str, Any]:
    memory = f"{limits.memory_mib + _SUPERVISOR_MIB}m"
    uid = owned_users()[next(_counter) % _USERS]
    return {
        "image": image,
        "command": [
            *_SUPERVISOR_COMMAND,
            configuration(program, limits, _PATHS, confine=True),
        ],
        "user": f"{uid}:{uid}",
        "hostname": "agent",
        "working_dir": "/",
        "environment": {
            "PYTHONPATH": "/opt/firebox",
            "PYTHONHASHSEED": "0",
            "LANG": "C.UTF-8",
            "HOME": "/",
        },
        "network_mode": "none",
        "ipc_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={container_filter()}"],
        "pids_limit": _PIDS,
        "mem_limit": memory,
        "memswap_limit": memory,
        "mem_swappiness": 0,
        "oom_score_adj": 1000,
        "cpuset_cpus": "" if core is None else str(core),
        "ulimits": _ulimits(),
        "log_config": {"Type": "none", "Config": {}},
        "restart_policy": {"Name": "no"},
        "auto_remove": True,
        "detach": True,
        "labels": {LABEL: "seat", _OWNER_LABEL: owner()},
        "mounts": [
            _mount("/run/firebox", directory.control),
            _mount("/opt/firebox", directory.supervisor),
            _mount("/adapter", directory.adapter),
            _mount("/agent", directory.agent),
            _mount("/build", directory.build),
        ],
    }


def _ulimits() -> list[Ulimit]:
    hard = {"core": 0, "nofile": 128, "fsize": 0, "memlock": 0, "msgqueue": 0, "sigpending": 64}
    return [Ulimit(name=name, soft=value, hard=value) for name, value in hard.items()]


def _mount(target: str, source: Path) -> Mount:
    return Mount(target=target, source=str(source), type="bind", read_only=True)


def _require_landlock(hello: dict[str, object]) -> None:
    if hello.get("landlock") == 0:
        raise HostError(
            "the kernel offers no Landlock, without which agents could read host-wide /proc files; "
            "graders need Linux 5.13 or newer with landlock in the lsm= list"
        )


def await_engine(seconds: float) -> None:
    """Wait until Docker answers, as it does not while it restarts. Raises HostError if it won't."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with closing(_client()) as client:
                client.ping()
                return
        except (
            HostError, docker.errors.DockerException, requests.exceptions.RequestException
        ) as error:  # fmt: skip
            if time.monotonic() > deadline:
                raise HostError(f"Docker does not answer: {error}") from error
        time.sleep(_LOOK_SECONDS)


def owned_containers() -> set[str]:
    """Ids of this process's containers that Docker knows, ended ones included."""
    filters = {"label": f"{_OWNER_LABEL}={owner()}"}
    with closing(_client()) as client:
        try:
            return {seat["Id"] for seat in client.api.containers(all=True, filters=filters)}
        except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
            raise HostError(f"Docker does not answer: {error}") from error


def owned_users() -> range:
    """The user numbers that this process's containers run under."""
    first = _FIRST_UID + os.getpid() * _USERS
    return range(first, first + _USERS)


def reap_containers() -> int:
    """Remove every seat container on this host whose owning process is gone; returns how many.

    The owner's process *is* the lease: it is on this host by design, and a dead one cannot come
    back to its containers.
    """
    with closing(_client()) as client:
        try:
            seats = client.containers.list(
                all=True,
                filters={"label": f"{LABEL}=seat"},
                ignore_removed=True,  # others come and go between the list and the look at each
            )
        except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
            raise HostError(f"Docker does not answer: {error}") from error
        orphans = [seat for seat in seats if not owner_lives(seat.labels.get(_OWNER_LABEL, ""))]
        for orphan in orphans:
            _remove(orphan)
    return len(orphans)


def _client() -> docker.DockerClient:
    try:
        return docker.from_env(timeout=_API_SECONDS)
    except docker.errors.DockerException as error:
        raise HostError(f"Docker does not answer: {error}") from error


def _is_running(container: Any) -> bool:
    try:
        container.reload()
    except docker.errors.NotFound:
        return False
    return bool(container.status == "running")


def _remove(container: Any) -> None:
    """Kill and remove a container; it is gone afterwards. Raises HostError if Docker will not."""
    try:
        container.remove(force=True)
    except docker.errors.NotFound:
        return
    except docker.errors.APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:  # conflict: its own removal is under way
            raise HostError(f"Docker could not remove a sandbox: {error}") from error
        _await_removal(container)
    except requests.exceptions.RequestException as error:
        raise HostError(f"Docker does not answer: {error}") from error


def _await_removal(container: Any) -> None:
    try:
        container.wait(condition="removed")
    except docker.errors.NotFound:
        return
    except (docker.errors.APIError, requests.exceptions.RequestException) as error:
        raise HostError(f"Docker could not remove a sandbox: {error}") from error


def _clean_up(
    control: ControlSocket, directory: SeatDirectory, container: Any, client: docker.DockerClient
) -> None:
    control.close()
    directory.remove()
    if container is not None:
        with suppress(HostError):  # the first error is the one to tell; the reaper does the rest
            _remove(container)
    client.close()
