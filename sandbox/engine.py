"""All requests to Docker that a grader makes. Their content comes from elsewhere.

A process that may write to Docker's socket owns the machine. So this file has all requests, and
only ``container_spec`` decides what a container is made of. (Building the image, an operator's
step, is ``images.build``'s.)

A process keeps its connection: to make one, and to ask for the version of the interface, takes as
long as to create a container.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

import docker
import docker.errors
import requests.exceptions

from sandbox.container_spec import (
    LABEL,
    NAMESPACE_LABEL,
    OWNER_LABEL,
    SANDBOX_LABEL_VALUE,
    ContainerParameters,
    docker_arguments,
)
from sandbox.errors import HostError
from sandbox.memory_limit import reached_memory_limit_by

_API_SECONDS: Final = 60
_ANSWER_SECONDS: Final = 8
"""The longest that Docker takes to say that it is there, unless it hangs."""
_ADDRESS: Final = ("DOCKER_HOST", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH")
"""Variables of the environment that decide where Docker is."""
_POLL_SECONDS: Final = 0.5
_ENDED: Final = "is not running"
"""Docker's words for a container that ended after Docker looked at it and before it was killed. It
is still there, and can be removed."""
_ERRORS: Final = (docker.errors.DockerException, requests.exceptions.RequestException)


@dataclass(frozen=True, slots=True, kw_only=True)
class DockerEngine:
    """Docker's version and abilities, as it reports them."""

    version: str
    runtimes: frozenset[str]
    """Names of the OCI runtimes that it can start containers with."""
    cgroup_version: str
    cgroup_driver: str
    """Its driver for control groups: ``cgroupfs``, ``systemd``, or ``none``."""
    security: tuple[str, ...]
    """Its means of confinement: ``seccomp``, ``rootless`` and so on."""


class Container:
    """A container that this process started."""

    def __init__(self, container: Any) -> None:
        self._container = container

    @property
    def id(self) -> str:
        """Docker's identifier of it."""
        return str(self._container.id)

    def is_running(self) -> bool:
        """Return whether it exists and runs. Raises HostError."""
        with _translated("look at a sandbox"):
            try:
                self._container.reload()
            except docker.errors.NotFound:
                return False
            return bool(self._container.status == "running")

    def keeps_no_log(self) -> bool:
        """Return whether Docker neither logs its output nor restarts it. Raises HostError."""
        with _translated("look at a sandbox"):
            self._container.reload()
            host = self._container.attrs["HostConfig"]
            restarts = host["RestartPolicy"]["Name"] not in {"", "no"}
            return host["LogConfig"]["Type"] == "none" and not restarts

    def reached_memory_limit(self) -> bool:
        """Return whether it ever reached its memory limit, or might have. Raises HostError."""
        with _translated("tell how much memory a sandbox used"):
            figures = self._container.client.api.stats(self.id, stream=False, one_shot=True)
        return reached_memory_limit_by(figures["memory_stats"])

    def remove(self) -> None:
        """Kill and remove it; it is gone afterwards. Raises HostError if Docker will not."""
        _remove(self._container)


def engine() -> DockerEngine:
    """Ask Docker what it is. Raises HostError if it does not answer."""
    with _translated("answer"):
        client = _client()
        facts, version = client.info(), client.version()
    security = [option.partition("=")[2] for option in facts.get("SecurityOptions") or ()]
    return DockerEngine(
        version=str(version["Version"]),
        runtimes=frozenset(facts.get("Runtimes") or ()),
        cgroup_version=str(facts.get("CgroupVersion", "1")),
        cgroup_driver=str(facts.get("CgroupDriver", "cgroupfs")),
        security=tuple(option.partition(",")[0] for option in security),
    )


def cgroup_driver() -> str:
    """Return Docker's driver for control groups. Raises HostError.

    Docker is asked once a connection: when it restarts, it may have another.
    """
    with _translated("answer"):
        return _cgroup_driver_of(_client())


@lru_cache(maxsize=1)
def _cgroup_driver_of(_: docker.DockerClient) -> str:
    return engine().cgroup_driver


def has_image(reference: str) -> bool:
    """Return whether Docker has an image of that name. Raises HostError."""
    with _translated("look for an image"):
        try:
            _client().images.get(reference)
        except docker.errors.ImageNotFound:
            return False
        return True


def start_container(parameters: ContainerParameters) -> Container:
    """Create and start a container. Raises HostError, leaving nothing behind."""
    with _translated("start a sandbox"):
        container = None
        try:
            container = _client().containers.create(**docker_arguments(parameters))
            container.start()
        except BaseException:  # an interrupt must not leave a container behind either
            if container is not None:
                with suppress(HostError):  # report the first error
                    _remove(container)
            raise
        return Container(container)


def owned_by(name: str) -> set[str]:
    """Ids of an owner's containers that Docker knows, ended ones included. Raises HostError."""
    filters = {"label": f"{OWNER_LABEL}={name}"}
    with _translated("list sandboxes"):
        return {found["Id"] for found in _client().api.containers(all=True, filters=filters)}


def remove_orphans(is_alive: Callable[[str, str], bool]) -> int:
    """Remove every sandbox whose owner is not alive; returns how many. Raises HostError.

    ``is_alive`` is asked with the owner and its PID namespace, empty if that is not known.
    """
    with _translated("list sandboxes"):
        containers = _client().containers.list(
            all=True,
            filters={"label": f"{LABEL}={SANDBOX_LABEL_VALUE}"},
            ignore_removed=True,  # containers come and go between the list and the look at each
        )
        orphans = [container for container in containers if not is_alive(*_owner(container.labels))]
        for orphan in orphans:
            _remove(orphan)
    return len(orphans)


def _owner(labels: Mapping[str, str]) -> tuple[str, str]:
    return labels.get(OWNER_LABEL, ""), labels.get(NAMESPACE_LABEL, "")


def disconnect() -> None:
    """Close this process's connections to Docker; the next request makes another."""
    _kept.forget()
    _kept_for_pings.forget()


def await_engine(seconds: float) -> None:
    """Wait until Docker answers, as it does not while it restarts. Raises HostError if it won't.

    A Docker that hangs takes connections and does not answer; eight seconds later that is an error.
    """
    deadline = time.monotonic() + seconds
    while True:
        asked = time.monotonic()
        try:
            with _translated("answer"):
                _kept_for_pings.client().ping()
                return
        except HostError:
            now = time.monotonic()
            if now > deadline or now - asked >= _ANSWER_SECONDS:
                raise
        time.sleep(_POLL_SECONDS)


def await_engine_loss() -> None:
    """Return as soon as Docker ends, goes away or changes its configuration; it may be at once."""
    try:
        with closing(_connect(seconds=None)) as client:
            stream = client.events(filters={"type": "daemon"}, decode=True)
            with closing(stream):
                next(iter(stream), None)
    except (HostError, *_ERRORS):
        return


class _Kept:
    """A connection that all threads of this process use, and where it leads."""

    def __init__(self, seconds: int) -> None:
        """Docker has ``seconds`` for each answer."""
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Begin as in a new process: a fork has its parent's connection, and perhaps its lock."""
        self._lock = threading.Lock()
        self._client: docker.DockerClient | None = None
        self._leads: tuple[str | None, ...] = ()

    def client(self) -> docker.DockerClient:
        """Return the connection; a new one if the address has changed."""
        leads = tuple(map(os.environ.get, _ADDRESS))
        with self._lock:
            if self._client is not None and self._leads == leads:
                return self._client
        client = _connect(self._seconds)  # without the lock, which a hanging Docker would keep
        with self._lock:
            self._client, self._leads = client, leads
        return client

    def forget(self) -> None:
        """Close the connection; the next request opens a new one."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()


_kept = _Kept(_API_SECONDS)
_kept_for_pings = _Kept(_ANSWER_SECONDS)
_client = _kept.client
for _each in (_kept, _kept_for_pings):
    os.register_at_fork(after_in_child=_each.renew)


def _connect(seconds: int | None = _API_SECONDS) -> docker.DockerClient:
    return docker.from_env(timeout=seconds)  # type: ignore[arg-type]  # None waits for ever


@contextmanager
def _translated(what: str) -> Iterator[None]:
    """Docker's errors, and those of the way to it, become ours."""
    try:
        yield
    except docker.errors.APIError as error:
        raise HostError(f"Docker could not {what}: {error.explanation or error}") from error
    except _ERRORS as error:
        disconnect()  # Docker may come back in another version
        hint = "start it (in the repository: make services)"
        raise HostError(f"Docker does not answer ({error}); {hint}") from error


def _remove(container: Any) -> None:
    with _translated("remove a sandbox"), suppress(docker.errors.NotFound):
        try:
            container.remove(force=True)
        except docker.errors.APIError as error:
            if _ENDED in str(error.explanation):
                container.remove(force=True)
            elif error.status_code == HTTPStatus.CONFLICT:  # its own removal is under way
                container.wait(condition="removed")
            else:
                raise
