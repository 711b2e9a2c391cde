"""The parameters of a container: only values of ours are used."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.container_spec import RUNTIMES, ContainerParameters, docker_arguments, oci_runtime
from sandbox.errors import HostError
from sandbox.program import Purpose

GOOD: dict[str, Any] = {
    "threads": 0,
    "purpose": Purpose.PLAY,
    "image": "firebox-python:0123456789ab",
    "configuration": "{}",
    "uid": 1 << 30,
    "memory_mib": 256,
    "core": 0,
    "runtime": "runc",
    "cgroup_parent": "/",
    "owner": "123.456",
    "namespace": "4026531836",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    path = tmp_path / "firebox-seat-4026531836-123.456-abcdefgh"
    for name in ("control", "supervisor", "adapter", "agent", "build"):
        (path / name).mkdir(parents=True)
    return path


def test_good_values_make_a_container(directory: Path) -> None:
    made = docker_arguments(ContainerParameters(directory=directory, **GOOD))
    assert made["user"] == "1073741824:1073741824"
    assert made["cpuset_cpus"] == "0"
    assert {mount["Target"] for mount in made["mounts"]} == {
        "/run/firebox", "/opt/firebox", "/adapter", "/agent", "/build",
    }  # fmt: skip
    assert all(mount["ReadOnly"] for mount in made["mounts"])


def test_no_setting_of_docker_adds_a_process_or_variables(directory: Path) -> None:
    made = docker_arguments(ContainerParameters(directory=directory, **GOOD))
    assert (made.get("init"), made.get("use_config_proxy")) == (False, False)


def test_nothing_but_the_ingredients_differs_between_two_containers(directory: Path) -> None:
    one = docker_arguments(ContainerParameters(directory=directory, **GOOD))
    other = docker_arguments(ContainerParameters(directory=directory, **(GOOD | {"core": None})))
    assert {name for name in one if one[name] != other[name]} == {"cpuset_cpus"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("image", "debian:bookworm"),
        ("image", "firebox-python:latest"),
        ("image", "firebox-python:0123456789ab\n"),
        ("image", "evil.example/firebox-python:0123456789ab"),
        ("configuration", "x" * 40_000),
        ("cgroup_parent", "/docker"),
        ("uid", 0),
        ("uid", 1000),
        ("uid", (1 << 32) - 1),
        ("uid", "0"),
        ("uid", True),
        ("memory_mib", 1),
        ("memory_mib", 1 << 20),
        ("memory_mib", 64.5),
        ("core", -1),
        ("core", 4096),
        ("core", "0-3"),
        ("core", True),
        ("runtime", "sysbox-runc"),
        ("runtime", ""),
        ("purpose", "play"),
        ("owner", "123.456,firebox=seat"),
        ("owner", ""),
        ("namespace", "1,firebox=seat"),
    ],
)
def test_any_other_value_is_refused(directory: Path, name: str, value: object) -> None:
    with pytest.raises(HostError, match=f"no container is made with {name} = "):
        ContainerParameters(directory=directory, **(GOOD | {name: value}))


def moved(directory: Path) -> Path:
    return directory.rename(directory.parent / "another")


def with_an_option_in_its_name(directory: Path) -> Path:
    return directory.rename(f"{directory},readonly=false")


def by_a_detour(directory: Path) -> Path:
    return directory / ".." / directory.name


def by_a_link(directory: Path) -> Path:
    link = directory.parent / "firebox-seat-1-1.1-link"
    link.symlink_to(directory)
    return link


def with_a_link_inside(directory: Path) -> Path:
    (directory / "agent").rmdir()
    (directory / "agent").symlink_to("/etc")
    return directory


def with_a_part_missing(directory: Path) -> Path:
    (directory / "build").rmdir()
    return directory


def the_whole_host(directory: Path) -> Path:
    return Path(directory.anchor)


@pytest.mark.parametrize(
    "elsewhere",
    [
        moved, with_an_option_in_its_name, by_a_detour, by_a_link, with_a_link_inside,
        with_a_part_missing, the_whole_host,
    ],
)  # fmt: skip
def test_no_directory_but_a_sandboxs_own_is_mounted(
    directory: Path, elsewhere: Callable[[Path], Path]
) -> None:
    with pytest.raises(HostError, match="no container is made with directory"):
        ContainerParameters(directory=elsewhere(directory), **GOOD)


def test_values_cannot_be_changed_behind_the_check(directory: Path) -> None:
    made = ContainerParameters(directory=directory, **GOOD)
    with pytest.raises(HostError):
        replace(made, uid=0)
    with pytest.raises(AttributeError):
        made.uid = 0  # type: ignore[misc]


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_known_runtime_can_be_chosen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_RUNTIME", f" {name} ")
    assert oci_runtime() == name


def test_the_runtime_is_runc_if_nobody_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIREBOX_RUNTIME", raising=False)
    assert oci_runtime() == "runc"


def test_an_unknown_runtime_is_refused_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_RUNTIME", "kata")
    with pytest.raises(
        HostError, match="FIREBOX_RUNTIME=kata: it must be one of runc, crun, runsc"
    ):
        oci_runtime()
