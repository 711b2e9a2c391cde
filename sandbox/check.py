"""Whether this host confines agents: probes of the host, and probes from inside a real container.

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

from sandbox import recipe
from sandbox.clock import ProcessClock
from sandbox.container import ContainerSeat, open_container, require_runtime
from sandbox.engine import engine
from sandbox.errors import HostError, SandboxError
from sandbox.exits import ExitKind
from sandbox.images import ensure_image
from sandbox.inside.root import LARGEST_FILE_BYTES
from sandbox.limits import Limits
from sandbox.probes.attempts import UNKNOWN
from sandbox.process import Trouble
from sandbox.program import Program
from sandbox.scratch import make_scratch, remove_scratch, scratch_is_memory

__all__ = ["NAMES", "Check", "run_checks"]

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

_RUNTIME: Final = (
    "the runtime does not carry out what Docker orders: mend or replace it (FIREBOX_RUNTIME)"
)
_CGROUPS: Final = (
    "boot the kernel with this controller (docker info lists what is missing), "
    "and give Docker the cgroup driver that the host's init system uses"
)
_SECCOMP: Final = "use a Docker and a runtime that were built with seccomp, on a kernel that has it"
_LANDLOCK: Final = "add landlock to the kernel's lsm= list; it needs Linux 5.13 or newer"
_USERNS: Final = (
    "allow unprivileged user namespaces (user.max_user_namespaces, "
    "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); "
    "with AppArmor, let Docker's profile mount"
)
_ADAPTER: Final = "this installation of Firebox is damaged: install it anew"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The outcome of one probe."""

    name: str
    tried: str
    expected: str
    happened: str
    ok: bool
    fix: str
    """What to do if it is not ok."""


@dataclass(frozen=True, slots=True)
class _Probe:
    """What a fact should be. ``right`` is asked with the fact and with what was ordered."""

    name: str
    tried: str
    expected: str
    right: "Callable[[str, recipe.Ingredients], bool]"
    fix: str


def _is(*values: str) -> "Callable[[str, recipe.Ingredients], bool]":
    return lambda fact, _: fact in values


def _refused(name: str, tried: str, fix: str, *, by: tuple[str, ...] = ()) -> _Probe:
    """Something that must fail, if ``by`` is given with one of these errors."""
    expected = f"it is refused{f' with {by[0]}' if by else ''}"
    return _Probe(
        f"agent.{name}",
        tried,
        expected,
        lambda fact, _: fact in by if by else not fact.startswith("it worked"),
        fix,
    )


def _limited(name: str, what: str, right: Callable[[int], bool]) -> _Probe:
    return _Probe(
        f"agent.{name}",
        f"read an agent's limit of {what}",
        "it is set",
        lambda fact, _: fact.lstrip("-").isdigit() and right(int(fact)),
        _ADAPTER,
    )


def _bytes(fact: str, order: recipe.Ingredients) -> bool:
    return fact == str(recipe.container_mib(order.memory_mib) << 20)


def _swap(fact: str, order: recipe.Ingredients) -> bool:
    return fact in {"0", "not counted, host has 0 kB"} or _bytes(fact, order)


_LIMITS_IN_WORDS: Final = " ".join(
    f"{name}={value}"
    for name, value in sorted({**recipe.ULIMITS, "fsize": LARGEST_FILE_BYTES}.items())
)

_PROBES: Final = (
    _Probe(
        "container.network", "list the network's interfaces", "only lo",
        _is("lo"), _RUNTIME,
    ),
    _Probe(
        "container.mounts", "look for mounts that are not read-only", "none",
        _is(""), _RUNTIME,
    ),
    _Probe(
        "container.writable", "make a file wherever one might be made", "it is refused everywhere",
        _is(""), _RUNTIME,
    ),
    _Probe(
        "container.shared-memory", "look for /dev/shm", "it is not there",
        _is(""), _RUNTIME,
    ),
    _Probe(
        "container.ipc", "look at the IPC namespace", "another than the host's",
        lambda fact, _: fact.startswith("ipc:") and fact != _own_namespace("ipc"), _RUNTIME,
    ),
    _Probe(
        "container.pid-1", "read the supervisor's process number", "1",
        _is("1"), _RUNTIME,
    ),
    _Probe(
        "container.user", "read the user and group numbers", "those that were ordered",
        lambda fact, order: set(fact.split()) == {str(order.uid)}, _RUNTIME,
    ),
    _Probe(
        "container.capabilities", "read the five sets of capabilities", "all are empty",
        lambda fact, _: fact.split() == ["0" * 16] * 5, _RUNTIME,
    ),
    _Probe(
        "container.filter", "read the mode of the system-call filter", "2, a program",
        _is("2"), _SECCOMP,
    ),
    _Probe(
        "container.filtered-calls",
        "try io_uring, keyctl, bpf and others before the second filter is there",
        "the first one refuses them with EPERM",
        _is(""), _SECCOMP,
    ),
    _Probe(
        "container.core", "read which processors may be used", "the one that was ordered",
        lambda fact, order: fact == str(order.core), _CGROUPS,
    ),
    _Probe(
        "container.cgroup", "look which version of control groups there is", "1 or 2",
        _is("1", "2"), _CGROUPS,
    ),
    _Probe(
        "container.memory", "read the limit of memory, bytes", "what was ordered",
        _bytes, _CGROUPS,
    ),
    _Probe(
        "container.swap", "read the limit of swap, bytes", "no more than memory alone",
        _swap, "boot with swapaccount=1, or turn the host's swap off (swapoff -a)",
    ),
    _Probe(
        "container.pids", "read the limit of processes", str(recipe.PIDS),
        _is(str(recipe.PIDS)), _CGROUPS,
    ),
    _Probe(
        "container.ulimits", "read the resource limits", _LIMITS_IN_WORDS,
        _is(_LIMITS_IN_WORDS), _RUNTIME,
    ),
    _Probe(
        "container.oom-score", "read who is killed first when memory runs out", "1000",
        _is("1000"), _RUNTIME,
    ),
    _Probe(
        "container.environment", "list the environment", "nothing of the host's",
        _is("HOME HOSTNAME LANG PATH PYTHONHASHSEED PYTHONPATH on agent"), _RUNTIME,
    ),
    _refused("files", "read a file that is none of its own", _LANDLOCK, by=("EACCES",)),
    _refused("processes", "read /proc/1/status", _USERNS, by=("ENOENT",)),
    _refused("inodes", "stat /proc/self", _USERNS, by=("ENOENT",)),
    _refused("kernel-files", "stat /sys/fs", _USERNS, by=("ENOENT",)),
    _refused("host-load", "read /proc/loadavg", _USERNS, by=("ENOENT",)),
    _refused("harness", "list the supervisor's sources", _USERNS, by=("ENOENT",)),
    _refused("root", "write to /", _LANDLOCK, by=("EACCES", "EROFS")),
    _refused("temporary-files", "write to /tmp", _USERNS, by=("ENOENT",)),
    _refused("shared-memory", "write to /dev/shm", _USERNS, by=("ENOENT",)),
    _refused("own-sources", "write to its own sources", _LANDLOCK, by=("EACCES", "EROFS")),
    _refused("internet", "open an IPv4 socket", _SECCOMP, by=("EPERM",)),
    _refused("unix-sockets", "open a unix socket", _SECCOMP, by=("EPERM",)),
    _refused("vsock", "open a vsock socket", _SECCOMP, by=("EPERM",)),
    _refused("ptrace", "call ptrace", _SECCOMP, by=("EPERM",)),
    _refused("io-uring", "call io_uring_setup", _SECCOMP, by=("EPERM",)),
    _refused("namespaces", "call unshare", _SECCOMP, by=("EPERM",)),
    _refused("bpf", "call bpf", _SECCOMP, by=("EPERM",)),
    _refused("signals", "signal the supervisor", _SECCOMP, by=("EPERM",)),
    _refused("affinity", "move to another processor", _SECCOMP, by=("EPERM",)),
    _limited("memory", "memory", lambda limit: limit == _LIMITS.memory_mib << 20),
    _limited("core-dumps", "core dumps", lambda limit: limit == 0),
    _limited("file-size", "the size of files", lambda limit: limit == 0),
    _limited("descriptors", "open files", lambda limit: 0 < limit <= 64),
    _limited("locked-memory", "locked memory", lambda limit: limit == 0),
)  # fmt: skip
"""The probes from inside. Together with those below they cover each line of ``recipe``."""

_HOST_NAMES: Final = (
    "host.docker", "host.seccomp", "host.runtime", "host.image", "host.clock", "host.scratch",
)  # fmt: skip
_SEAT_NAMES: Final = (
    "container.start", "container.landlock", "container.new-privileges", "container.log",
    "container.clock", "container.host-user", "agent.probes", "agent.new-process",
)  # fmt: skip
NAMES: Final = (*_HOST_NAMES, *_SEAT_NAMES, *(probe.name for probe in _PROBES))
"""Every name that a check may have."""


def run_checks() -> tuple[Check, ...]:
    """Probe the host and one real container. Takes about a second; raises nothing."""
    host = tuple(_host_checks())
    if not all(check.ok for check in host):
        return host
    return host + tuple(_container_checks())


def _host_checks() -> Iterator[Check]:
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
        lambda: _read_clock("self"),
        "graders need a Linux kernel with CONFIG_SCHED_INFO",
    )
    yield _attempt(
        "host.scratch",
        "make a directory for a seat",
        "it is in a memory file system",
        _read_scratch,
        "make /run or /dev/shm a tmpfs that graders may write to, "
        "or name one in FIREBOX_SCRATCH that Docker has under the same name",
    )


def _docker_checks() -> Iterator[Check]:
    """What is asked of Docker; without it all of them would only say that it is not there."""
    yield _attempt(
        "host.seccomp", "ask Docker what it can apply", "seccomp is listed", _read_seccomp, _SECCOMP
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
        "look for the sandbox image in Docker",
        "it is there",
        ensure_image,
        "run: make images",
    )


def _read_version() -> str:
    found = engine()
    numbers = [part for part in found.version.split(".") if part.isdigit()]
    if tuple(map(int, numbers[:2])) < _OLDEST_DOCKER:
        raise HostError(f"Docker {found.version}")
    return f"Docker {found.version}, control groups of version {found.cgroup_version}"


def _read_seccomp() -> str:
    found = " ".join(engine().security) or "nothing"
    if "seccomp" not in found.split():
        raise HostError(found)
    return found


def _read_scratch() -> str:
    directory = make_scratch("check")
    remove_scratch(directory)
    if not scratch_is_memory():
        raise HostError(f"{directory.parent} is on a disk")
    return f"{directory.parent} is in memory"


def _read_clock(pid: int | str) -> str:
    with closing(ProcessClock(pid)) as clock:
        usage = clock.read()
    if usage.ran <= 0:
        raise HostError("the kernel counts no run time")
    return f"{usage.ran / 1e6:.1f} ms run, {usage.waited / 1e6:.1f} ms waited"


def _attempt(name: str, tried: str, expected: str, probe: Callable[[], str], fix: str) -> Check:
    try:
        happened, ok = probe(), True
    except (SandboxError, OSError) as error:
        happened, ok = str(error), False
    return Check(name=name, tried=tried, expected=expected, happened=happened, ok=ok, fix=fix)


def _container_checks() -> Iterator[Check]:
    with tempfile.TemporaryDirectory(prefix="firebox-check-") as sources:
        try:
            seat = _open(Path(sources))
        except (SandboxError, OSError) as error:
            yield Check(
                name="container.start",
                tried="start a hardened container",
                expected="its supervisor answers",
                happened=str(error),
                ok=False,
                fix="look at the Docker daemon's log; sandbox/README.md lists what it must support",
            )
            return
        with closing(seat):
            try:
                yield from _outside(seat)
                yield from _inside(seat)
            except (SandboxError, OSError) as error:
                yield _broken(str(error))


def _open(sources: Path) -> ContainerSeat:
    program = Program(
        adapter=Path(__file__).parent / "probes",
        play="probes:play",
        build="probes:play",
        preload=("probes",),
        sources=sources,
    )
    core = min(os.sched_getaffinity(0))
    return open_container(program, _LIMITS, core=core, insist=False)


def _outside(seat: ContainerSeat) -> Iterator[Check]:
    """What the host sees of the container."""
    pid = seat.seat.supervisor_pid
    yield _attempt(
        "container.landlock",
        "ask the kernel for its version of Landlock",
        "1 or higher",
        lambda: _landlock(seat.hello.get("landlock")),
        _LANDLOCK,
    )
    yield _attempt(
        "container.new-privileges",
        "ask the supervisor for its no_new_privs",
        "it is set",
        lambda: _new_privileges(seat.hello.get("standing")),
        _RUNTIME,
    )
    yield _attempt(
        "container.log",
        "ask Docker where the container's output goes and whether it starts again",
        "nowhere, and never",
        lambda: _log(seat),
        _RUNTIME,
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


def _log(seat: ContainerSeat) -> str:
    if not seat.keeps_no_log:
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
    if user < recipe.FIRST_UID or others:
        raise HostError(f"user {user}, other processes: {' '.join(others) or 'none'}")
    return f"user {user}, no other process"


def _user_of(process: Path) -> int:
    try:
        return process.stat().st_uid
    except FileNotFoundError:
        return -1


def _own_namespace(kind: str) -> str:
    return Path(f"/proc/self/ns/{kind}").readlink().as_posix()


def _inside(seat: ContainerSeat) -> Iterator[Check]:
    """Have both layers try what they must not, and compare."""
    process = seat.seat.start_game()
    answer = process.ask(b"probe\n", start=True)
    end = process.finish(None if isinstance(answer, Trouble) else b"")
    if isinstance(answer, Trouble):
        yield _broken(f"{answer.detail}; {end.describe()}; {end.stderr[-500:]}")
        return
    try:
        facts = json.loads(answer)
        yield from [_judge(probe, facts[probe.name], seat.ingredients) for probe in _PROBES]
    except (ValueError, LookupError, TypeError) as error:
        yield _broken(f"{error!r} in their answer {answer[:500]!r}")
        return
    yield _starting_a_process(seat)


def _judge(probe: _Probe, fact: str, order: recipe.Ingredients) -> Check:
    """What could not be found out is never right."""
    return Check(
        name=probe.name,
        tried=probe.tried,
        expected=probe.expected,
        happened=fact or "nothing found",
        ok=not fact.startswith(UNKNOWN) and probe.right(fact, order),
        fix=probe.fix,
    )


def _starting_a_process(seat: ContainerSeat) -> Check:
    process = seat.seat.start_game()
    process.ask(b"fork\n", start=True)
    end = process.finish(None)
    return Check(
        name="agent.new-process",
        tried="start a process",
        expected="the filter ends it",
        happened=end.describe(),
        ok=end.kind is ExitKind.FORBIDDEN,
        fix=_SECCOMP,
    )


def _broken(happened: str) -> Check:
    return Check(
        name="agent.probes",
        tried="run the probes in a confined process",
        expected="their outcome",
        happened=happened,
        ok=False,
        fix=_RUNTIME,
    )
