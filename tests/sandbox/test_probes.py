"""The probes' reading of a host's files: both versions of control groups, and missing files."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import check, container_spec
from sandbox.container_spec import ContainerParameters
from sandbox.expectations import PROBES
from sandbox.limits import BOUNDS
from sandbox.probes import agent, attempts, container
from sandbox.program import Purpose

LIMIT = str(container_spec.container_mib(64) << 20)


@pytest.fixture
def order(tmp_path: Path) -> ContainerParameters:
    """A container for an agent of 64 MiB on core 0."""
    directory = tmp_path / "firebox-seat-1-1.1-abc"
    for name in ("control", "supervisor", "adapter", "agent", "build"):
        (directory / name).mkdir(parents=True)
    return ContainerParameters(
        image="firebox-python:0123456789ab",
        configuration="{}",
        directory=directory,
        uid=container_spec.FIRST_UID,
        memory_mib=64,
        core=0,
        threads=0,
        purpose=Purpose.PLAY,
        runtime="runc",
        cgroup_parent="/",
        owner="1.1",
        namespace="1",
    )


Cgroups = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cgroups:
    """The findings on a host whose control groups look like these files."""

    def found(files: dict[str, str]) -> dict[str, str]:
        for name, content in files.items():
            path = tmp_path / "cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{content}\n")
        monkeypatch.setattr(container, "_CGROUP", str(tmp_path / "cgroup"))
        names = ("cgroup", "weight", "memory", "swap", "pids")
        return {
            name: container._outcome_of(container._LOOKS[f"container.{name}"]) for name in names
        }

    return found


def passes(name: str, fact: str, order: ContainerParameters) -> bool:
    (probe,) = (probe for probe in PROBES if probe.name == f"container.{name}")
    return probe.right(fact, order)


VERSION_1 = {
    "cpu/cpu.shares": "3072",
    "memory/memory.limit_in_bytes": LIMIT,
    "memory/memory.memsw.limit_in_bytes": LIMIT,
    "pids/pids.max": "8",
}
VERSION_2 = {
    "cgroup.controllers": "cpuset cpu io memory pids",
    "cpu.weight": "118",
    "memory.max": LIMIT,
    "memory.swap.max": "0",
    "pids.max": "8",
}


@pytest.mark.parametrize(("files", "version"), [(VERSION_1, "1"), (VERSION_2, "2")])
def test_right_control_groups_pass_in_both_versions(
    files: dict[str, str], version: str, facts: Cgroups, order: ContainerParameters
) -> None:
    found = facts(files)
    assert found["cgroup"] == version
    assert [name for name, fact in found.items() if not passes(name, fact, order)] == []


@pytest.mark.parametrize(
    ("files", "file", "content", "name"),
    [
        (VERSION_1, "memory/memory.limit_in_bytes", "9223372036854771712", "memory"),
        (VERSION_1, "memory/memory.memsw.limit_in_bytes", "9223372036854771712", "swap"),
        (VERSION_1, "pids/pids.max", "max", "pids"),
        (VERSION_1, "cpu/cpu.shares", "1024", "weight"),
        (VERSION_2, "cpu.weight", "100", "weight"),
        (VERSION_2, "memory.max", "max", "memory"),
        (VERSION_2, "memory.swap.max", "max", "swap"),
        (VERSION_2, "pids.max", "max", "pids"),
    ],
)
def test_a_limit_that_is_not_set_fails_in_both_versions(
    files: dict[str, str],
    file: str,
    content: str,
    name: str,
    facts: Cgroups,
    order: ContainerParameters,
) -> None:
    found = facts(files | {file: content})
    assert [each for each, fact in found.items() if not passes(each, fact, order)] == [name]


def test_a_controller_that_is_missing_fails_and_says_which_file(
    facts: Cgroups, order: ContainerParameters
) -> None:
    found = facts({"cgroup.controllers": "cpu", "memory.max": LIMIT, "memory.swap.max": "0"})
    assert not passes("pids", found["pids"], order)
    assert "pids.max" in found["pids"]


@pytest.mark.parametrize("total", ["0", "1024"])
def test_swap_that_is_not_counted_is_right_only_where_there_is_none(
    total: str,
    facts: Cgroups,
    order: ContainerParameters,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, memory = container._lines, ["MemTotal: 1 kB", f"SwapTotal: {total} kB"]
    monkeypatch.setattr(
        container, "_lines", lambda path: memory if path == "/proc/meminfo" else real(path)
    )
    found = facts({"memory/memory.limit_in_bytes": LIMIT, "pids/pids.max": "8"})
    assert passes("swap", found["swap"], order) is (total == "0")


def test_the_largest_limit_of_memory_can_be_checked() -> None:
    assert container_spec.container_mib(int(BOUNDS["memory_mib"][1])) << 20 < 1 << 63


def test_an_attempt_names_the_error_or_says_that_it_worked(tmp_path: Path) -> None:
    assert attempts.attempt(lambda: attempts.read(str(tmp_path / "nothing"))) == "ENOENT"
    assert attempts.attempt(lambda: attempts.write(str(tmp_path / "new"))).startswith("it worked")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_the_container_and_the_agent_run_every_probe_that_the_host_judges() -> None:
    looked_at = set(container._LOOKS) | set(agent._ATTEMPTS) | set(agent._LIMITS)
    assert looked_at == {probe.name for probe in PROBES}


def test_probes_do_not_run_outside_a_container() -> None:
    from sandbox import probes

    assert os.getpid() != 1
    assert probes._container == {}


def test_an_inconclusive_probe_never_passes(
    order: ContainerParameters,
) -> None:
    for probe in PROBES:
        assert not check._judge(probe, f"{attempts.UNKNOWN}no such file", order).ok, probe.name
