"""Directories that end with their owner."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.scratch import (
    make_scratch,
    namespace,
    owner,
    owner_lives,
    reap_scratch,
    remove_scratch,
    scratch_is_memory,
)

ELSEWHERE = ("unshare", "--pid", "--fork", "--mount-proc")
REAP = """
from pathlib import Path
from sandbox import scratch
scratch._places = lambda: [Path("{0}")]
(name,) = [path.name for path in Path("{0}").iterdir()]
_, _, of, owner, _ = name.split("-")
print(scratch.owner_lives(owner), scratch.owner_lives(owner, of), scratch.reap_scratch())
"""


def ended_process() -> str:
    """The owner's name of a process that has made a scratch directory and ended without care."""
    script = (
        "import os; from sandbox.scratch import make_scratch;"
        "print(make_scratch('seat')); os.kill(os.getpid(), 9)"
    )
    child = subprocess.run(
        [sys.executable, "-u", "-c", script],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return child.stdout.strip()


def test_only_the_process_that_an_owner_names_is_alive() -> None:
    assert owner_lives(owner())
    pid = owner().split(".")[0]
    assert not owner_lives(f"{pid}.1")
    assert not any(
        owner_lives(name) for name in ("", ".", "x.1", "1", "-1.1", f"{os.getpid()}.", "².1")
    )


def test_a_directory_carries_its_purpose_and_its_owner() -> None:
    path = make_scratch("seat")
    assert path.is_dir()
    assert path.name.startswith(f"firebox-seat-{namespace()}-{owner()}-")
    remove_scratch(path)
    assert not path.exists()


def test_only_others_dead_owners_directories_are_reaped() -> None:
    mine = make_scratch("seat")
    orphan = Path(ended_process())
    assert orphan.is_dir()
    reap_scratch()
    assert not orphan.exists()
    assert mine.is_dir()
    remove_scratch(mine)


def test_directories_made_elsewhere_are_removed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = Path(ended_process())
    monkeypatch.setenv("FIREBOX_SCRATCH", str(tmp_path))
    reap_scratch()
    assert not orphan.exists()


def test_owners_of_another_pid_namespace_are_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / f"firebox-seat-{namespace()}-{owner()}-abc"
    mine.mkdir()
    reaped = subprocess.run(
        [*ELSEWHERE, sys.executable, "-c", REAP.format(tmp_path)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert reaped.stdout.split() == ["False", "True", "0"]
    assert mine.is_dir()


def test_directories_of_the_version_before_end_with_their_owner_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.scratch._places", lambda: [tmp_path])
    mine, orphan = (tmp_path / f"firebox-seat-{name}-abc" for name in (owner(), "1.1"))
    mine.mkdir()
    orphan.mkdir()
    assert reap_scratch() == 1
    assert mine.is_dir()


def test_an_owner_that_cannot_be_looked_up_is_not_taken_for_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    name = owner()
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(OSError, match="Too many open files"):
        owner_lives(name)


def test_removing_twice_is_harmless() -> None:
    path = make_scratch("seat")
    remove_scratch(path)
    remove_scratch(path)


def test_directories_are_in_memory() -> None:
    assert scratch_is_memory()


def test_the_scratch_directory_can_be_set_and_is_told_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_SCRATCH", "/proc")
    assert not scratch_is_memory()
    monkeypatch.setenv("FIREBOX_SCRATCH", str(tmp_path))
    path = make_scratch("seat")
    assert path.parent == tmp_path
    remove_scratch(path)
