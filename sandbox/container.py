"""Sandboxes in Docker containers: each is opened, used and closed; the reaper removes leftovers.

``container_spec`` says what a container is made of, and ``engine`` speaks to Docker. Game messages
never pass through Docker: its daemon only starts and removes the container.
"""

import itertools
import os
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from sandbox.container_spec import (
    CGROUP_PARENTS,
    FIRST_UID,
    PATHS,
    RUNTIMES,
    ContainerParameters,
    oci_runtime,
)
from sandbox.control import ControlSocket, Sandbox
from sandbox.directory import SandboxDirectory, configuration
from sandbox.engine import (
    Container,
    cgroup_driver,
    engine,
    owned_by,
    remove_orphans,
    start_container,
)
from sandbox.errors import HostError
from sandbox.images import ensure_image
from sandbox.limits import Limits
from sandbox.memory_limit import reached_memory_limit
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Program
from sandbox.scratch import namespace, owner, owner_lives

_USERS: Final = 256
"""User numbers that a process gives to its containers: it has no more open at once. Those of the
highest process number of Linux, 2^22 - 1, end at the highest that Docker takes, 2^31 - 1."""


class _Users:
    """Gives each open container of this process a user number of its own, in turn."""

    def __init__(self) -> None:
        self._counter = itertools.count()
        self._taken: set[int] = set()
        self._lock = threading.Lock()

    def take(self) -> int:
        """Return a number that no open container has. Raises HostError if there is none."""
        with self._lock:
            for at in itertools.islice(self._counter, _USERS):
                if (user := owned_users()[at % _USERS]) not in self._taken:
                    self._taken.add(user)
                    return user
        raise HostError(f"this process has {_USERS} sandboxes open; close one first")

    def free(self, user: int) -> None:
        """Make a number available again, once its container is gone."""
        with self._lock:
            self._taken.discard(user)


_users = _Users()


@dataclass(slots=True)
class ContainerSandbox(OpenSandbox):
    """A container around a supervisor."""

    parameters: ContainerParameters
    _container: Container

    @property
    def keeps_no_log(self) -> bool:
        """True if Docker stores no output of the container. Raises HostError."""
        return self._container.keeps_no_log()

    def close(self) -> None:
        """Remove the container and everything it used. Raises HostError if Docker will not."""
        self.sandbox.forget()
        self._control.close()
        self.directory.remove()
        try:
            self._container.remove()
        finally:  # numbers that stayed taken after each failure of Docker would run out in the end
            _users.free(self.parameters.uid)


def open_container(
    program: Program, limits: Limits, *, core: int | None, insist: bool = True
) -> ContainerSandbox:
    """Start a hardened container for one seat and wait until its supervisor answers.

    ``core`` is the processor it is bound to. Takes about a quarter of a second. Raises HostError
    (ImageMissing among them) or SandboxLost, leaving nothing behind. A container that is less
    confined than requested is such an error too, unless ``insist`` is false: ``firebox check``
    inspects such containers.
    """
    image = ensure_image(program.image)
    with ExitStack() as undo:
        directory = SandboxDirectory(program)
        undo.callback(directory.remove)
        control = ControlSocket(directory.socket)
        undo.callback(control.close)
        user = _users.take()
        undo.callback(_users.free, user)
        parameters = _parameters(
            program, limits, image=image, directory=directory.path, uid=user, core=core
        )
        container = start_container(parameters)
        undo.callback(_remove, container)
        control.reached_memory_limit = partial(_reached_memory_limit, control, container)
        hello = control.accept(container.is_running)
        if insist:
            _require_confinement(hello)
        undo.pop_all()
    sandbox = Sandbox(
        control, limits, reusable=program.adapter.reusable, gc_thread=program.runtime.gc_thread
    )
    return ContainerSandbox(sandbox, hello, image, directory, control, parameters, container)


def _reached_memory_limit(control: ControlSocket, container: Container) -> bool:
    """Ask the kernel; Docker, where its control groups are out of sight. Raises HostError."""
    reached = reached_memory_limit(control.supervisor_pid)
    return container.reached_memory_limit() if reached is None else reached


def _parameters(
    program: Program, limits: Limits, *, image: str, directory: Path, uid: int, core: int | None
) -> ContainerParameters:
    return ContainerParameters(
        image=image,
        configuration=configuration(program, limits, PATHS, confine=True),
        directory=directory,
        uid=uid,
        memory_mib=limits.memory_mib,
        core=core,
        threads=program.runtime.threads,
        purpose=program.purpose,
        runtime=_runtime(),
        cgroup_parent=_cgroup_parent(),
        owner=owner(),
        namespace=namespace(),
    )


def require_runtime() -> str:
    """The OCI runtime that containers start with. Raises HostError if Docker does not know it."""
    name = oci_runtime()
    known = engine().runtimes
    if name not in known:
        raise HostError(
            f"FIREBOX_RUNTIME={name}, but Docker here knows only {', '.join(sorted(known))}; "
            f'install {name} and name it under "runtimes" in Docker\'s daemon.json'
        )
    return name


def _runtime() -> str:
    """Ask Docker only about runtimes that it may not have: the question takes as long as a game."""
    name = oci_runtime()
    return name if name == RUNTIMES[0] else require_runtime()


def _cgroup_parent() -> str:
    """Return Docker's name for it. Raises HostError for a driver that we do not know."""
    driver = cgroup_driver()
    if driver not in CGROUP_PARENTS:
        raise HostError(
            f"Docker's driver for control groups is {driver}; "
            f"it must be one of {', '.join(CGROUP_PARENTS)}"
        )
    return CGROUP_PARENTS[driver]


def _require_confinement(hello: dict[str, object]) -> None:
    """Check the confinement: a runtime may not carry out what Docker accepts."""
    version = hello.get("landlock")
    if not isinstance(version, int) or version < 1:
        raise HostError(
            "the kernel offers no Landlock, without which agents could read host-wide /proc files; "
            "graders need Linux 5.13 or newer with landlock in the lsm= list"
        )
    standing = hello.get("standing")
    if standing != {"CapEff": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}:
        raise HostError(f"the container is not confined as ordered: {standing}; run firebox check")


def owned_containers() -> set[str]:
    """Ids of this process's containers that Docker knows, ended ones included."""
    return owned_by(owner())


def owned_users(pid: int | None = None) -> range:
    """The user numbers that the containers of a process run under; by default of this one."""
    first = FIRST_UID + (os.getpid() if pid is None else pid) * _USERS
    return range(first, first + _USERS)


def reap_containers() -> int:
    """Remove every sandbox on this host whose owning process is gone; returns how many.

    The owner's process *is* the lease: it is on this host by design, and a dead one cannot come
    back to its containers. Owners in another PID namespace cannot be seen, and keep theirs.
    """
    return remove_orphans(owner_lives)


def _remove(container: Container) -> None:
    """Remove a container, hiding errors; the reaper removes what Docker does not now."""
    with suppress(HostError):
        container.remove()
