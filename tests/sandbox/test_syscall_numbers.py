"""The table of system calls and the container's filter, beside the library that runtimes use.

Both processors are looked at on either: for the one that is not here, library and table must agree
all the same, and its program is run in an interpreter.
"""

import json
from typing import Any, Final

import pytest

from sandbox.probes import attempts
from sandbox.seccomp import _FCNTL_COMMANDS, ARCHITECTURES, agent_filter, container_filter
from sandbox.syscall_numbers import SYSCALLS
from tests.sandbox.bpf import ALLOW, EPERM, KILL, judge
from tests.sandbox.libseccomp import compiled, number_of

MACHINES: Final = sorted(ARCHITECTURES)
ENOSYS: Final = 0x00050000 | 38
NUMBERS: Final = range(600)
"""More than the kernel has system calls."""
PROFILE: Final[dict[str, Any]] = json.loads(container_filter())
ONLY_X86_64: Final = {
    "access", "arch_prctl", "chmod", "dup2", "epoll_create", "epoll_wait", "eventfd", "fork",
    "lstat", "mkdir", "open", "pipe", "poll", "readlink", "rename", "rmdir", "select", "stat",
    "symlink", "time", "unlink", "vfork",
}  # fmt: skip


def arch_of(machine: str) -> int:
    return ARCHITECTURES[machine][1]


def column(machine: str) -> dict[str, int | None]:
    return {name: numbers[ARCHITECTURES[machine][0]] for name, numbers in SYSCALLS.items()}


def allowed_by_docker(*, conditional: bool) -> set[str]:
    return {
        name
        for rule in PROFILE["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW" and bool(rule.get("args")) == conditional
        for name in rule["names"]
    }


def test_the_architectures_have_the_kernels_constants() -> None:
    assert {name: arch for name, (_, arch) in ARCHITECTURES.items()} == {
        "x86_64": 62 | 0x80000000 | 0x40000000,  # EM_X86_64, 64 bits, little-endian
        "aarch64": 183 | 0x80000000 | 0x40000000,  # EM_AARCH64
    }
    assert [entry["architecture"] for entry in PROFILE["archMap"]] == [
        "SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64",
    ]  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_of_the_table_is_the_librarys(machine: str) -> None:
    assert column(machine) == {name: number_of(name, arch_of(machine)) for name in SYSCALLS}


def test_calls_that_a_processor_lacks_are_named_here() -> None:
    assert {name for name, number in column("aarch64").items() if number is None} == ONLY_X86_64
    assert None not in column("x86_64").values()


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_share_a_number(machine: str) -> None:
    numbers = [number for number in column(machine).values() if number is not None]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("machine", MACHINES)
def test_every_name_that_docker_is_given_is_in_the_table(machine: str) -> None:
    named = {name for rule in PROFILE["syscalls"] for name in rule["names"]}
    assert named <= set(SYSCALLS)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_container_may_exactly_what_the_profile_names(machine: str) -> None:
    program, arch = compiled(PROFILE, arch_of(machine)), arch_of(machine)
    numbers = column(machine)
    judged = {number: judge(program, arch, number, [99] * 6) for number in NUMBERS}
    allowed = {number for number, verdict in judged.items() if verdict == ALLOW}
    assert allowed == {numbers[name] for name in allowed_by_docker(conditional=False)} - {None}
    clone3 = numbers["clone3"]
    assert judged[clone3 or 0] == ENOSYS
    others = {verdict for number, verdict in judged.items() if number not in {*allowed, clone3}}
    assert others == {EPERM}


@pytest.mark.parametrize("machine", MACHINES)
def test_some_calls_are_allowed_by_their_arguments_alone(machine: str) -> None:
    program, arch, numbers = compiled(PROFILE, arch_of(machine)), arch_of(machine), column(machine)
    assert allowed_by_docker(conditional=True) == {"fcntl", "socket", "socketpair"}
    commands = {
        command
        for command in range(1100)
        if judge(program, arch, numbers["fcntl"] or 0, [0, command]) == ALLOW
    }
    assert commands == set(_FCNTL_COMMANDS)
    for name in ("socket", "socketpair"):
        number = numbers[name] or 0
        families = {n for n in range(64) if judge(program, arch, number, [n]) == ALLOW}
        assert families == {1}


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_an_agent_may_nothing_that_its_container_may_not(machine: str) -> None:
    arch = arch_of(machine)
    container, agent = compiled(PROFILE, arch), agent_filter(machine)
    for number in NUMBERS:
        for arguments in ([0] * 6, [1] * 6, [0, 128], [99] * 6):
            if judge(agent, arch, number, arguments) == ALLOW:
                assert judge(container, arch, number, arguments) == ALLOW, number


@pytest.mark.parametrize("machine", MACHINES)
def test_programs_of_another_processor_are_ended(machine: str) -> None:
    (other,) = (arch_of(name) for name in MACHINES if name != machine)
    i386 = 3 | 0x40000000
    program = compiled(PROFILE, arch_of(machine))
    for arch in (other, i386, 0):
        assert judge(agent_filter(machine), arch, 0) == KILL
        assert judge(program, arch, 0) != ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_the_probes_call_what_they_say(machine: str) -> None:
    calls = attempts.CALLS_OF[machine]
    assert calls == {name: number_of(name, arch_of(machine)) for name in calls}
