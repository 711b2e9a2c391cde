"""The limits in the sandbox's manual are those of the code."""

import os
import re
import resource
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

import pytest

import sandbox
from grader.core.records import LIMIT_BOUNDS, AgentLimits, FaultKind
from grader.uploads.zip_reader import UploadLimits
from sandbox.container_spec import PIDS, ULIMITS, container_mib
from sandbox.exits import ExitKind
from sandbox.inside import confine
from sandbox.inside.root import LARGEST_FILE_BYTES
from sandbox.limits import BOUNDS, Limits
from tests.support.every import every

MANUAL = (Path(sandbox.__file__).parent / "README.md").read_text(encoding="utf-8")
UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20}


def rows(section: str) -> dict[str, list[str]]:
    """The other cells of each row of a section's tables, by the first one's word in backticks."""
    text = re.split(r"^## ", MANUAL.split(f"\n## {section}\n")[1], flags=re.MULTILINE)[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    named = [(re.match(r"`(\w+)`", first), rest) for first, *rest in cells]
    return {name[1]: rest for name, rest in named if name is not None}


def number(text: str) -> float:
    """``1 KiB``, ``65,536`` or ``0.05``."""
    figures, _, unit = text.partition(" ")
    return float(figures.replace(",", "")) * UNITS[unit]


LIMITS = rows("Limits")


def test_the_readmes_limits_are_those_of_the_code() -> None:
    assert {field.name for field in fields(Limits)} <= set(LIMITS)
    assert number(LIMITS["fsize"][0].partition(" until")[0]) == LARGEST_FILE_BYTES
    assert f"| `memory_mib` and {container_mib(256) - 256} MiB, no swap |" in MANUAL
    uploads = asdict(UploadLimits())
    assert {name: number(LIMITS[name][0]) for name in uploads} == uploads
    known = {*BOUNDS, *ULIMITS, *asdict(UploadLimits()), "pids", "fsize"}
    assert set(LIMITS) == known


@every("name", sorted(BOUNDS))
def test_the_readmes_defaults_and_bounds_are_those_of_the_code(name: str) -> None:
    _, default, bounds, _ = LIMITS[name]
    low, high = bounds.split("–")
    assert number(default) == asdict(AgentLimits())[name]
    assert (number(low), number(high)) == BOUNDS[name] == LIMIT_BOUNDS[name]


@every(("name", "value"), [("pids", PIDS), *ULIMITS.items()])
def test_the_readmes_limits_of_a_container_are_those_given_to_docker(name: str, value: int) -> None:
    assert number(LIMITS[name][0]) == value


@pytest.fixture
def set_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, tuple[int, int]]]:
    """The limits that a process sets when it confines itself; nothing is confined."""
    found: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(confine, "_ruleset", lambda _: os.open(os.devnull, os.O_RDONLY))
    monkeypatch.setattr(confine, "_syscall", lambda *_: 0)
    monkeypatch.setattr("resource.setrlimit", found.__setitem__)
    confinement = confine.Confinement(readable=[], memory_bytes=1 << 28, filters={})
    confinement.close()
    yield found
    os.close(confinement._ruleset_fd)


def test_an_agents_fixed_limits_are_its_processs(set_limits: dict[int, tuple[int, int]]) -> None:
    names = {
        getattr(resource, f"RLIMIT_{name.upper()}", None): name
        for name in ("nofile", "sigpending", "core", "memlock", "msgqueue", "fsize")
    }
    told = {key: (int(LIMITS[name][1]),) * 2 for key, name in names.items()}
    assert set_limits == {**told, resource.RLIMIT_AS: (1 << 28, 1 << 28)}


def test_the_readme_has_every_verdict_and_every_end_of_a_process() -> None:
    assert set(rows("Verdicts")) == set(FaultKind)
    assert set(rows("How a process ends")) - {"ExitKind"} == set(ExitKind)
