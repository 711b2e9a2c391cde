"""Control groups of both versions, in files as the kernel writes them."""

import os
from pathlib import Path

import pytest

from sandbox.memory_limit import reached_memory_limit, reached_memory_limit_by
from tests.support.every import every

LIMIT = 400 << 20
EVENTS = "low 0\nhigh 0\nmax {most}\noom {oom}\noom_kill 1\noom_group_kill 0\n"


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The control group of this process, below ``tmp_path``, as version 2 or 1 names it."""
    lines = "3:cpuset:/seat\n2:memory:/seat\n0::/\n"
    monkeypatch.setattr(Path, "read_text", _with(lines, Path.read_text))
    folder = tmp_path / "memory" / "seat"
    folder.mkdir(parents=True)
    return folder


def _with(cgroups: str, read_text):  # type: ignore[no-untyped-def]
    """Reads files, but says that a process is in these control groups."""
    return lambda path, **how: cgroups if path.name == "cgroup" else read_text(path, **how)


@pytest.mark.parametrize(("most", "reached"), [(LIMIT, True), (LIMIT - 4096, True), (9999, False)])
def test_version_1_knows_the_most_that_was_used(
    group: Path, tmp_path: Path, most: int, *, reached: bool
) -> None:
    (group / "memory.limit_in_bytes").write_text(f"{LIMIT}\n")
    (group / "memory.max_usage_in_bytes").write_text(f"{most}\n")
    assert reached_memory_limit(os.getpid(), tmp_path) is reached


@pytest.mark.parametrize(("oom", "reached"), [(1, True), (0, False)])
def test_version_2_counts_kills_for_the_limit_apart_from_others(
    group: Path, tmp_path: Path, oom: int, *, reached: bool
) -> None:
    (group / "memory.events").write_text(EVENTS.format(most=oom, oom=oom))
    assert reached_memory_limit(os.getpid(), tmp_path) is reached


def test_without_figures_the_memory_limit_is_unknown(group: Path, tmp_path: Path) -> None:
    assert group.is_dir()
    assert reached_memory_limit(os.getpid(), tmp_path) is None


@every(
    ("figures", "reached"),
    [
        ({"usage": 9, "max_usage": LIMIT - 4096, "limit": LIMIT}, True),
        ({"usage": 9, "max_usage": 9999, "limit": LIMIT}, False),
        ({"usage": 9, "limit": LIMIT, "failcnt": 1}, True),
        ({"usage": 9, "limit": LIMIT}, False),
        ({}, True),
    ],
)
def test_dockers_figures_tell_it_for_both_versions_of_control_groups(
    figures: dict[str, int], *, reached: bool
) -> None:
    assert reached_memory_limit_by(figures) is reached
