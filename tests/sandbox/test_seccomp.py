"""The system-call filters, judged by a small BPF machine and by reading Docker's profile."""

import json
import platform
import signal
import struct

import pytest

from sandbox import seccomp
from sandbox.errors import HostError
from sandbox.seccomp import ARCHITECTURES, agent_filter, builder_filter, container_filter
from sandbox.syscall_numbers import SYSCALLS
from tests.sandbox.bpf import ALLOW, EPERM, KILL, judge
from tests.support.every import every

MACHINES = sorted(ARCHITECTURES)
RETURN = 0x06
STARTS_CODE = ("clone", "clone3", "execve", "execveat", "fork", "vfork")
DANGEROUS = {
    "bpf": (321, 280), "chroot": (161, 51), "flock": (73, 32), "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425), "keyctl": (250, 219), "memfd_create": (319, 279),
    "mincore": (27, 232), "mount": (165, 40), "mq_open": (240, 180), "msgget": (68, 186),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pipe2": (293, 59),
    "process_vm_readv": (310, 270), "ptrace": (101, 117), "sched_setaffinity": (203, 122),
    "semget": (64, 190), "setns": (308, 268), "shmget": (29, 194), "socketpair": (53, 199),
    "statfs": (137, 43), "sysinfo": (99, 179), "unshare": (272, 97), "userfaultfd": (323, 282),
}  # fmt: skip
"""Numbers of calls that our table has no need of: for x86_64 and aarch64."""


def verdict(machine: str, name: str, *arguments: int) -> int:
    column, arch = ARCHITECTURES[machine]
    number = {**SYSCALLS, **DANGEROUS}[name][column]
    assert number is not None
    return judge(agent_filter(machine), arch, number, arguments)


def exists(machine: str, name: str) -> bool:
    return SYSCALLS[name][ARCHITECTURES[machine][0]] is not None


@every("machine", MACHINES)
@every("name", ["read", "write", "openat", "mmap", "exit_group", "poll", "brk"])
def test_an_agent_may_compute_read_and_write(machine: str, name: str) -> None:
    if exists(machine, name):
        assert verdict(machine, name) == ALLOW


@every("machine", MACHINES)
@every("name", STARTS_CODE)
def test_starting_other_code_ends_an_agent(machine: str, name: str) -> None:
    if exists(machine, name):
        assert verdict(machine, name) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_dangerous_calls_are_refused(machine: str) -> None:
    verdicts = {name: verdict(machine, name) for name in DANGEROUS}
    assert verdicts == dict.fromkeys(DANGEROUS, EPERM)


@every("machine", MACHINES)
@every("name", ["connect", "ioctl", "kill", "prctl", "seccomp", "sendmsg", "setrlimit", "socket"])
def test_an_agent_may_not_do_what_only_the_supervisor_may(machine: str, name: str) -> None:
    assert verdict(machine, name, 1, 1, 1) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_the_only_signal_that_an_agent_may_send_is_its_own_abort(machine: str) -> None:
    allowed = [number for number in range(65) if verdict(machine, "tgkill", 7, 7, number) == ALLOW]
    assert allowed == [signal.SIGABRT]


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_that_is_not_listed_is_refused(machine: str) -> None:
    column, arch = ARCHITECTURES[machine]
    listed = {numbers[column] for numbers in SYSCALLS.values()}
    program = agent_filter(machine)
    others = [number for number in range(600) if number not in listed]
    assert {judge(program, arch, number) for number in others} == {EPERM}


@every("machine", MACHINES)
@every("number", [0x40000000, 0x40000000 | 39, 0x7FFFFFFF, 0xFFFFFFFF])
def test_numbers_of_other_calling_conventions_end_an_agent(machine: str, number: int) -> None:
    assert judge(agent_filter(machine), ARCHITECTURES[machine][1], number) == KILL


@every("machine", MACHINES)
@every("arch", [0x40000003, 0x40000028, 0])
def test_calls_of_another_architecture_end_an_agent(machine: str, arch: int) -> None:
    assert judge(agent_filter(machine), arch, 1) == KILL


@every("machine", MACHINES)
@every("command", [0, 1, 2, 3, 4, 1030])
def test_descriptors_may_be_copied_and_looked_at(machine: str, command: int) -> None:
    assert verdict(machine, "fcntl", 0, command) == ALLOW


@every("machine", MACHINES)
@every("command", [5, 6, 7, 8, 9, 10, 36, 37, 38, 1024, 1025, 1026, 1031, 1033])
def test_locks_leases_owners_and_pipe_sizes_may_not_be_set(machine: str, command: int) -> None:
    assert verdict(machine, "fcntl", 0, command) == EPERM


@every("machine", MACHINES)
@every("advice", [4, 8, 16, 17])
def test_memory_may_be_given_back(machine: str, advice: int) -> None:
    assert verdict(machine, "madvise", 0, 0, advice) == ALLOW


@every("machine", MACHINES)
@every("advice", [3, 9, 12, 13, 14, 20, 21, 22, 23, 25, 100])
def test_pages_may_not_be_merged_or_moved_to_and_from_the_cache(machine: str, advice: int) -> None:
    assert verdict(machine, "madvise", 0, 0, advice) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_the_upper_half_of_an_int_argument_is_ignored_as_the_kernel_does(machine: str) -> None:
    assert verdict(machine, "fcntl", 0, 1 << 32 | 1) == ALLOW
    assert verdict(machine, "fcntl", 0, 1 << 32 | 6) == EPERM


@every("machine", MACHINES)
@every("pointer", [1, 1 << 32, 0x7FFF00000000, -1])
def test_limits_may_be_read_but_not_set(machine: str, pointer: int) -> None:
    assert verdict(machine, "prlimit64", 0, 7, 0, 0x7FFF0000) == ALLOW
    assert verdict(machine, "prlimit64", 0, 7, pointer) == EPERM


@every("machine", MACHINES)
@every("operation", [0, 1, 9, 10, 256])
def test_only_private_futexes_work(machine: str, operation: int) -> None:
    assert verdict(machine, "futex", 0, operation | 128) == ALLOW
    assert verdict(machine, "futex", 0, operation) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_only_memory_of_its_own_can_be_mapped(machine: str) -> None:
    private, shared, validated, anonymous = 2, 1, 3, 0x20
    for flags in (private, private | anonymous, 1 << 32 | private):
        assert verdict(machine, "mmap", 0, 4096, 3, flags, -1, 0) == ALLOW
    for flags in (shared, validated, shared | anonymous, 1 << 32 | shared):
        assert verdict(machine, "mmap", 0, 4096, 3, flags, -1, 0) == EPERM


@every("machine", MACHINES)
@every("name", ["clock_gettime", "clock_getres", "clock_nanosleep"])
def test_clocks_of_other_processes_cannot_be_read(machine: str, name: str) -> None:
    other_process = ~1 << 3 | 2
    assert [verdict(machine, name, clock) for clock in (0, 1, 2, 3, 11)] == [ALLOW] * 5
    assert verdict(machine, name, other_process) == EPERM


def test_the_filter_is_made_for_this_machine_or_a_known_one() -> None:
    assert agent_filter() == agent_filter(platform.machine())
    with pytest.raises(HostError, match="x86_64, aarch64"):
        agent_filter("m68k")


@pytest.mark.parametrize("machine", MACHINES)
def test_a_filter_is_short_for_the_kernel_compiles_it_in_every_game(machine: str) -> None:
    instructions = list(struct.iter_unpack("=HBBI", agent_filter(machine)))
    assert len(instructions) < len(SYSCALLS)
    assert sum(code == RETURN for code, *_ in instructions) <= 4


def test_every_call_of_the_table_is_used_and_every_call_used_is_in_it() -> None:
    profiles = [json.loads(container_filter(builder=builder)) for builder in (False, True)]
    named = {name for each in profiles for rule in each["syscalls"] for name in rule["names"]}
    assert named | {"execveat"} == set(SYSCALLS)


def rules(name: str) -> list[dict[str, object]]:
    return [rule for rule in json.loads(container_filter())["syscalls"] if name in rule["names"]]


def test_dockers_filter_refuses_by_default_and_allows_nothing_dangerous() -> None:
    profile = json.loads(container_filter())
    assert (profile["defaultAction"], profile["defaultErrnoRet"]) == ("SCMP_ACT_ERRNO", 1)
    assert {entry["architecture"] for entry in profile["archMap"]} == {
        "SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64",
    }  # fmt: skip
    assert not any(entry["subArchitectures"] for entry in profile["archMap"])
    (rule,) = rules("socket")
    assert rule["args"] == [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]
    (rule,) = rules("clone3")
    assert (rule["action"], rule["errnoRet"]) == ("SCMP_ACT_ERRNO", 38)
    names = (set(DANGEROUS) | {"execveat"}) - MAKES_THE_ROOT - {"socketpair"}
    assert {name: rules(name) for name in names} == {name: [] for name in names}


MAKES_THE_ROOT = {"chroot", "mount", "unshare"}
"""The supervisor calls these once, before any agent exists; no agent may."""


def in_builder(machine: str, name: str, *arguments: int) -> int:
    column, arch = ARCHITECTURES[machine]
    number = {**DANGEROUS, **SYSCALLS}[name][column]
    assert number is not None
    return judge(builder_filter(machine), arch, number, arguments)


@every("machine", MACHINES)
@every("name", ["execve", "wait4", "openat", "unlinkat", "pipe2", "mmap"])
def test_a_compiler_may_start_programs_and_write_files(machine: str, name: str) -> None:
    assert in_builder(machine, name) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_a_compiler_may_fork_but_make_no_namespaces(machine: str) -> None:
    sigchld, new_user, new_time = 17, 0x10000000, 0x80
    assert in_builder(machine, "clone", sigchld) == ALLOW
    assert in_builder(machine, "clone", sigchld | new_user) == EPERM
    assert in_builder(machine, "clone", sigchld | new_time) == EPERM
    assert in_builder(machine, "clone3") == EPERM - 1 + 38  # ENOSYS: fall back on clone


@pytest.mark.parametrize("machine", MACHINES)
def test_all_else_is_refused_to_a_compiler_as_to_an_agent(machine: str) -> None:
    others = [*(set(DANGEROUS) - {"pipe2"}), "connect", "kill", "prctl", "sendmsg", "socket"]
    assert {in_builder(machine, name, 1, 1, 1) for name in others} == {EPERM}


def test_a_builders_container_allows_nothing_but_a_compilers_calls_besides() -> None:
    plain, builder = (
        {name for rule in json.loads(profile)["syscalls"] for name in rule["names"]}
        for profile in (container_filter(), container_filter(builder=True))
    )
    assert builder - plain <= set(seccomp._TOOLS)
    assert not plain - builder


@pytest.mark.skipif(platform.machine() not in seccomp.ARCHITECTURES, reason="unknown machine")
def test_the_table_agrees_with_this_kernel_about_getpid() -> None:
    import ctypes
    import os

    number = SYSCALLS["getpid"][ARCHITECTURES[platform.machine()][0]]
    assert ctypes.CDLL(None).syscall(number) == os.getpid()
