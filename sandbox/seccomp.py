"""The system-call filters, all made from one table of names.

The *container filter* (Docker's JSON) holds for everything in the container and allows what the
trusted supervisor and the language runtime need. The *agent filter* (raw BPF) is added by each
game's process before it loads a student's code, and allows only what an agent needs to think and to
talk over its pipes. Whatever is not listed is refused with EPERM; starting a thread, a process or
another program ends the agent's process at once with SIGSYS, which no program can fake: the only
signal that it may send is SIGABRT, with which ``abort`` ends its own process. PID 1, the only other
process, is immune: the kernel drops signals from within that PID 1 has no handler for.

A *builder*, where compilers run and no agent does, has a pair of its own: programs may be started
in it, and files written.

Ours, not libseccomp's export of filters: each grader and each student's computer would need that
library, in place of the hundred lines here. Tests compare the table and the profile with it.
"""

import errno
import json
import platform
import signal
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from sandbox.errors import HostError
from sandbox.syscall_numbers import SYSCALLS

ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine name to column of the table and AUDIT_ARCH constant."""

_FILES: Final = """
    access faccessat faccessat2 getcwd lstat newfstatat open openat readlink readlinkat stat statx
""".split()  # noqa: SIM905 - one name a line would fill pages
"""Calls that look for a file by its name."""

_RUNTIME: Final = """
    arch_prctl brk close close_range dup dup2 dup3 epoll_create1 epoll_ctl epoll_pwait epoll_wait
    exit exit_group fstat getdents64 getegid geteuid getgid getgroups getpid getppid getrandom
    getrlimit getrusage gettid gettimeofday getuid lseek mprotect mremap munmap nanosleep poll
    ppoll pread64 pselect6 read readv restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask
    rt_sigreturn rt_sigsuspend sched_yield select set_robust_list set_tid_address sigaltstack time
    times uname write writev
""".split()  # noqa: SIM905 - one name a line would fill pages
"""Calls of an interpreter that runs; shared by both filters.

Not ``pipe``: the number of a new pipe's inode reveals how many pipes exist on the
host, other sandboxes' included."""

_CLOCKS: Final = ("clock_getres", "clock_gettime", "clock_nanosleep")
_HIGHEST_CLOCK: Final = 15
"""Above it, read as unsigned, are the clocks of other processes, the supervisor's among them."""

_FUTEX_PRIVATE: Final = 128
"""Flag of a futex that only one process can see. On another one, in a page of a library that all
containers map, two sandboxes could meet."""

_SUPERVISOR: Final = """
    capset chdir chroot clone connect execve fork fstatfs ioctl kill landlock_add_rule
    landlock_create_ruleset landlock_restrict_self mkdir mkdirat mount pidfd_open pidfd_send_signal
    prctl prlimit64 recvfrom recvmsg sched_getaffinity seccomp sendmsg sendto setrlimit symlink
    symlinkat tgkill unshare vfork wait4 waitid
""".split()  # noqa: SIM905 - one name a line would fill pages
"""Further calls of PID 1: to make its root, to fork, to confine its child and to wait for it.

``fstatfs`` is for runc, which looks at /proc between installing the filter and executing PID 1."""

_TOOLS: Final = """
    chdir chmod epoll_create eventfd eventfd2 execve fadvise64 fchmod fchmodat fork ftruncate mkdir
    mkdirat pipe pipe2 rename renameat renameat2 rmdir tgkill umask unlink unlinkat vfork wait4
    waitid
""".split()  # noqa: SIM905 - one name a line would fill pages
"""Further calls of compilers, in a builder: to start their parts, to wait for several things at
once, and to write their files."""

_NEW_NAMESPACES: Final = 0x7E020080
"""Flags of ``clone`` that make namespaces: with capabilities in them."""

_STARTS_CODE: Final = ("clone", "clone3", "execve", "execveat", "fork", "vfork")

_FCNTL_COMMANDS: Final = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: no locks, no leases."""

_ADVICE: Final = (4, 8, 16, 17)
"""MADV_DONTNEED, MADV_FREE, MADV_DONTDUMP, MADV_DODUMP: what concerns memory of its own. Pages that
are merged with equal ones of others, or hurried in and out of the host's cache, are a channel."""

_MAP_SHARED: Final = 1
"""Flag of a mapping whose pages are no process's own. Unmapped, they stay charged to the container,
but count for nobody when the kernel chooses whom to end for it: it might be the supervisor."""

_AF_UNIX: Final = 1

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_EPERM: Final = 0x00050000 | errno.EPERM
_ENOSYS: Final = 0x00050000 | errno.ENOSYS
_ACTIONS: Final = (_EPERM, _ALLOW, _KILL, _ENOSYS)
"""The first is that of a call which nothing judged."""
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = (
    0x20, 0x15, 0x25, 0x35, 0x45, 0x06,
)  # fmt: skip
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT: Final = 0x40000000


def container_filter(*, builder: bool = False) -> str:
    """Docker's seccomp profile as JSON text, for both architectures, refusing by default."""
    allowed = {*_RUNTIME, *_FILES, *_CLOCKS, "futex", "madvise", "mmap", *_SUPERVISOR}
    if builder:
        allowed.update(_TOOLS)
    profile = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            {"names": sorted(allowed), "action": "SCMP_ACT_ALLOW"},
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
            _docker_rule("socket", 0, _AF_UNIX),
            _docker_rule("socketpair", 0, _AF_UNIX),
            *(_docker_rule("fcntl", 1, command) for command in _FCNTL_COMMANDS),
        ],
    }
    return json.dumps(profile)


def _docker_rule(name: str, argument: int, value: int) -> dict[str, object]:
    condition = {"index": argument, "value": value, "op": "SCMP_CMP_EQ"}
    return {"names": [name], "action": "SCMP_ACT_ALLOW", "args": [condition]}


_Instruction: TypeAlias = tuple[int, int, int, int]
"""Its code, where it jumps if true and if false, and its operand.

A jump is the number of instructions to skip, or the action to end with."""


def agent_filter(machine: str | None = None) -> bytes:
    """The agent's BPF program as an array of ``struct sock_filter`` (8 bytes each).

    ``machine`` defaults to this host's. Raises HostError on an architecture we do not know.
    """
    column, audit_arch = _architecture(machine)
    return _packed(
        [
            *_head([*_RUNTIME, *_FILES], column, audit_arch),
            *((_JUMP_EQUAL, _KILL, 0, number) for number in _numbers(_STARTS_CODE, column)),
            *_by_arguments(column),
            *_allow_low_word("tgkill", 2, (signal.SIGABRT,), column),
        ]
    )


def builder_filter(machine: str | None = None) -> bytes:
    """The same for a build step that starts programs, in a builder."""
    column, audit_arch = _architecture(machine)
    (clone3,) = _numbers(["clone3"], column)
    return _packed(
        [
            *_head([*_RUNTIME, *_FILES, *_TOOLS, *_CLOCKS], column, audit_arch),
            (_JUMP_EQUAL, _ENOSYS, 0, clone3),  # so that the C library falls back on clone
            *_by_arguments(column),
            *_judge("clone", 0, (_JUMP_ANY_BIT, _EPERM, _ALLOW, _NEW_NAMESPACES), column),
        ]
    )


def _architecture(machine: str | None) -> tuple[int, int]:
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise HostError(f"no system-call filter for {machine}; graders run on {known}")
    return ARCHITECTURES[machine]


def _packed(program: Sequence[_Instruction]) -> bytes:
    """Append one return an action, the most common one first, and lead jumps to them.

    The kernel compiles the filter again for each game, and a return for each call that is allowed
    would nearly double it.
    """
    ends = {action: len(program) + place for place, action in enumerate(_ACTIONS)}
    jumps = [
        (code, *(ends[jump] - at - 1 if jump in ends else jump for jump in (yes, no)), operand)
        for at, (code, yes, no, operand) in enumerate(program)
    ]
    returns = [(_RETURN, 0, 0, action) for action in _ACTIONS]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in [*jumps, *returns])


def _head(names: Iterable[str], column: int, audit_arch: int) -> Iterator[_Instruction]:
    yield _LOAD, 0, 0, _ARCH_AT
    yield _JUMP_EQUAL, 0, _KILL, audit_arch
    yield _LOAD, 0, 0, _NUMBER_AT
    yield _JUMP_AT_LEAST, _KILL, 0, _X32_BIT
    for number in _numbers(names, column):
        yield _JUMP_EQUAL, _ALLOW, 0, number


def _by_arguments(column: int) -> Iterator[_Instruction]:
    """Calls that are judged by what they are given."""
    yield from _judge("mmap", 3, (_JUMP_ANY_BIT, _EPERM, _ALLOW, _MAP_SHARED), column)
    yield from _allow_low_word("fcntl", 1, _FCNTL_COMMANDS, column)
    yield from _allow_low_word("madvise", 2, _ADVICE, column)
    yield from _allow_null("prlimit64", 2, column)
    for name in _CLOCKS:
        yield from _judge(name, 0, (_JUMP_ABOVE, _EPERM, _ALLOW, _HIGHEST_CLOCK), column)
    yield from _judge("futex", 1, (_JUMP_ANY_BIT, _ALLOW, _EPERM, _FUTEX_PRIVATE), column)


def _allow_low_word(
    name: str, argument: int, values: tuple[int, ...], column: int
) -> Iterator[_Instruction]:
    """Allow a call when the low 32 bits of an ``int`` argument are one of ``values``."""
    (number,) = _numbers([name], column)
    *others, last = values
    yield _JUMP_EQUAL, 0, 1 + len(values), number
    yield _LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument
    for value in others:
        yield _JUMP_EQUAL, _ALLOW, 0, value
    yield _JUMP_EQUAL, _ALLOW, _EPERM, last


def _judge(name: str, argument: int, test: _Instruction, column: int) -> Iterator[_Instruction]:
    """Judge a call by ``test`` of an argument's low 32 bits, which ends with an action."""
    (number,) = _numbers([name], column)
    yield _JUMP_EQUAL, 0, 2, number
    yield _LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument
    yield test


def _allow_null(name: str, argument: int, column: int) -> Iterator[_Instruction]:
    """Allow a call when a pointer argument is NULL: both of its halves are zero."""
    (number,) = _numbers([name], column)
    yield _JUMP_EQUAL, 0, 4, number
    yield _LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument
    yield _JUMP_EQUAL, 0, _EPERM, 0
    yield _LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument + 4
    yield _JUMP_EQUAL, _ALLOW, _EPERM, 0


def _numbers(names: Iterable[str], column: int) -> list[int]:
    numbers = (SYSCALLS[name][column] for name in names)
    return [number for number in numbers if number is not None]
