"""Checks that this host confines agents, by probes on the host and inside a real container.

Every check says what was tried, what should have happened, what did happen, and how to mend the
host. A grading worker refuses to work when one of them fails. The names of checks are stable: where
they are (``host``, ``container``, ``agent``), a dot, and what they look at. One that no longer fits
is dropped, never given another meaning.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox import container_spec
from sandbox.clock import ProcessClock
from sandbox.container import ContainerSandbox, open_container, require_runtime
from sandbox.engine import await_engine, engine
from sandbox.errors import HostError, SandboxError
from sandbox.exits import ExitKind
from sandbox.expectations import LANDLOCK, PROBES, RUNTIME, SECCOMP, Probe
from sandbox.images import require_images
from sandbox.limits import Limits
from sandbox.probes.attempts import UNKNOWN
from sandbox.program import Adapter, Program
from sandbox.scratch import make_scratch, remove_scratch, scratch_is_memory
from sandbox.timeouts import AskFailure

_LIMITS: Final = Limits(
    turn_seconds=5.0,
    turn_wall_seconds=15.0,
    start_seconds=5.0,
    memory_mib=64,
    reply_bytes=1 << 16,
    stdout_bytes=1 << 20,
    stderr_bytes=1 << 16,
)
_OLDEST_DOCKER: Final = (20, 10)
_SCOPES_SINCE_ABI: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCheck:
    """The outcome of one probe."""

    name: str
    tried: str
    expected: str
    happened: str
    ok: bool
    fix: str
    """The remedy if the check failed."""


_HOST_NAMES: Final = (
    "host.docker", "host.seccomp", "host.runtime", "host.image", "host.clock", "host.scratch",
)  # fmt: skip
_SANDBOX_NAMES: Final = (
    "container.start", "container.landlock", "container.new-privileges", "container.log",
    "container.clock", "container.host-user", "agent.probes", "agent.new-process",
)  # fmt: skip
NAMES: Final = (*_HOST_NAMES, *_SANDBOX_NAMES, *(probe.name for probe in PROBES))
"""Every name that a check may have."""


def run_checks() -> tuple[HostCheck, ...]:
    """Probe the host and one real container. Takes about a second; raises nothing."""
    host = tuple(_host_checks())
    if not all(check.ok for check in host):
        return host
    return host + tuple(_container_checks())


def _host_checks() -> Iterator[HostCheck]:
    docker = _attempt(
        "host.docker",
        "ask Docker for its version",
        "20.10 or newer",
        _read_version,
        "install and start Docker; in the repository: make services",
    )
    yield docker
    if docker.ok:
        yield from _docker_checks()
    yield _attempt(
        "host.clock",
        "read this process's /proc/self/schedstat",
        "it counts",
        lambda: _read_clock(os.getpid()),
        "graders need a Linux kernel with CONFIG_SCHED_INFO",
    )
    yield _attempt(
        "host.scratch",
        "make a directory for a sandbox",
        "it is in a memory file system",
        _read_scratch,
        "make /run or /dev/shm a tmpfs that graders may write to, "
        "or name one in FIREBOX_SCRATCH that Docker has under the same name",
    )


def _docker_checks() -> Iterator[HostCheck]:
    yield _attempt(
        "host.seccomp", "ask Docker what it can apply", "seccomp is listed", _read_seccomp, SECCOMP
    )
    yield _attempt(
        "host.runtime",
        "look whether Docker knows the runtime of FIREBOX_RUNTIME",
        "it does",
        require_runtime,
        'name it under "runtimes" in Docker\'s daemon.json, or choose another FIREBOX_RUNTIME',
    )
    yield _attempt(
        "host.image",
        "look in Docker for the sandbox images that FIREBOX_IMAGES names, or all",
        "they are there",
        require_images,
        "run: make images",
    )


def _read_version() -> str:
    await_engine(0)
    docker = engine()
    numbers = [part for part in docker.version.split(".") if part.isdigit()]
    if tuple(map(int, numbers[:2])) < _OLDEST_DOCKER:
        raise HostError(f"Docker {docker.version}")
    return f"Docker {docker.version}, control groups of version {docker.cgroup_version}"


def _read_seccomp() -> str:
    security = " ".join(engine().security) or "nothing"
    if "seccomp" not in security.split():
        raise HostError(security)
    return security


def _read_scratch() -> str:
    directory = make_scratch("seat")
    remove_scratch(directory)
    if not container_spec.is_mountable(directory):
        place = directory.parent
        raise HostError(f"{place} has characters in its name other than letters, digits and _.+-")
    if not scratch_is_memory():
        raise HostError(f"{directory.parent} is on a disk")
    return f"{directory.parent} is in memory"


def _read_clock(pid: int) -> str:
    with closing(ProcessClock(pid)) as clock:
        usage = clock.read()
    if usage.ran <= 0:
        raise HostError("the kernel counts no run time")
    return f"{usage.ran / 1e6:.1f} ms run, {usage.waited / 1e6:.1f} ms waited"


def _attempt(name: str, tried: str, expected: str, probe: Callable[[], str], fix: str) -> HostCheck:
    try:
        happened, ok = probe(), True
    except (SandboxError, OSError) as error:
        happened, ok = str(error), False
    return HostCheck(name=name, tried=tried, expected=expected, happened=happened, ok=ok, fix=fix)


def _container_checks() -> Iterator[HostCheck]:
    with tempfile.TemporaryDirectory(prefix="firebox-check-") as sources:
        try:
            container = _open(Path(sources))
        except (SandboxError, OSError) as error:
            yield HostCheck(
                name="container.start",
                tried="start a hardened container",
                expected="its supervisor answers",
                happened=str(error),
                ok=False,
                fix="look at the Docker daemon's log; sandbox/README.md lists what it must support",
            )
            return
        with closing(container):
            try:
                yield from _outside(container)
                yield from _inside(container)
            except (SandboxError, OSError) as error:
                yield _broken(str(error))


def _open(sources: Path) -> ContainerSandbox:
    program = Program(
        adapter=Adapter(
            paths=(Path(__file__).parent / "probes",),
            play="probes:play",
            build="probes:play",
            preload=("probes",),
        ),
        sources=sources,
    )
    core = min(os.sched_getaffinity(0))
    return open_container(program, _LIMITS, core=core, insist=False)


def _outside(container: ContainerSandbox) -> Iterator[HostCheck]:
    pid = container.sandbox.supervisor_pid
    yield _attempt(
        "container.landlock",
        "ask the kernel for its version of Landlock",
        "1 or higher",
        lambda: _landlock(container.hello.get("landlock")),
        LANDLOCK,
    )
    yield _attempt(
        "container.new-privileges",
        "ask the supervisor for its no_new_privs",
        "it is set",
        lambda: _new_privileges(container.hello.get("standing")),
        RUNTIME,
    )
    yield _attempt(
        "container.log",
        "ask Docker where the container's output goes and whether it starts again",
        "nowhere, and never",
        lambda: _log(container),
        RUNTIME,
    )
    yield _attempt(
        "container.clock",
        "read the supervisor's scheduler figures by its process number on the host",
        "it counts",
        lambda: _read_clock(_named_by_kernel(pid)),
        "run graders in the host's PID namespace (compose: pid: host), on Docker itself",
    )
    yield _attempt(
        "container.host-user",
        "look on the host for processes of the container's user",
        "only the supervisor",
        lambda: _alone(pid),
        "run no user namespace remapping, and nothing else under user numbers above 2^30",
    )


def _landlock(version: object) -> str:
    if not isinstance(version, int) or version < 1:
        raise HostError(f"{version}: the kernel offers none")
    scopes = "with" if version >= _SCOPES_SINCE_ABI else "without (the filter stands in for them)"
    return f"{version}, {scopes} scopes of signals and abstract sockets"


def _new_privileges(standing: object) -> str:
    if not isinstance(standing, dict) or standing.get("NoNewPrivs") != "1":
        raise HostError(f"it is not: {standing}")
    return "it is set"


def _log(container: ContainerSandbox) -> str:
    if not container.keeps_no_log:
        raise HostError("Docker keeps a log, or starts it again")
    return "nowhere, and never"


def _named_by_kernel(pid: int) -> int:
    if pid <= 1 or not Path(f"/proc/{pid}").exists():
        raise HostError(f"its number is {pid}, which this process cannot see")
    return pid


def _alone(pid: int) -> str:
    user = Path(f"/proc/{_named_by_kernel(pid)}").stat().st_uid
    others = [
        process.name
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and process.name != str(pid) and _user_of(process) == user
    ]
    if user < container_spec.FIRST_UID or others:
        raise HostError(f"user {user}, other processes: {' '.join(others) or 'none'}")
    return f"user {user}, no other process"


def _user_of(process: Path) -> int:
    try:
        return process.stat().st_uid
    except FileNotFoundError:
        return -1


def _inside(container: ContainerSandbox) -> Iterator[HostCheck]:
    process = container.sandbox.start_process()
    answer = process.ask(b"probe\n", start=True)
    end = process.finish(None if isinstance(answer, AskFailure) else b"")
    if isinstance(answer, AskFailure):
        yield _broken(f"{answer.detail}; {end.describe()}; {end.stderr[-500:]}")
        return
    try:
        facts = json.loads(answer)
        yield from [_judge(probe, facts[probe.name], container.parameters) for probe in PROBES]
    except (ValueError, LookupError, TypeError) as error:
        yield _broken(f"{error!r} in their answer {answer[:500]!r}")
        return
    yield _starting_a_process(container)


def _judge(probe: Probe, fact: str, order: container_spec.ContainerParameters) -> HostCheck:
    """Judge a fact. One that could not be found out is never right."""
    return HostCheck(
        name=probe.name,
        tried=probe.tried,
        expected=probe.expected,
        happened=fact or "nothing found",
        ok=not fact.startswith(UNKNOWN) and probe.right(fact, order),
        fix=probe.fix,
    )


def _starting_a_process(container: ContainerSandbox) -> HostCheck:
    process = container.sandbox.start_process()
    process.ask(b"fork\n", start=True)
    end = process.finish(None)
    return HostCheck(
        name="agent.new-process",
        tried="start a process",
        expected="the filter ends it",
        happened=end.describe(),
        ok=end.kind is ExitKind.FORBIDDEN,
        fix=SECCOMP,
    )


def _broken(happened: str) -> HostCheck:
    return HostCheck(
        name="agent.probes",
        tried="run the probes in a confined process",
        expected="their outcome",
        happened=happened,
        ok=False,
        fix=RUNTIME,
    )
