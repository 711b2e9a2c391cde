"""Directories that end with their owner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.scratch import (
    make_scratch,
    owner,
    owner_lives,
    reap_scratch,
    remove_scratch,
    scratch_is_memory,
)


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


def test_this_process_lives() -> None:
    assert owner_lives(owner())


def test_a_process_with_the_same_number_but_another_start_is_another_one() -> None:
    pid = owner().split(".")[0]
    assert not owner_lives(f"{pid}.1")


def test_nonsense_names_nobody() -> None:
    assert not any(
        owner_lives(name) for name in ("", ".", "x.1", "1", "-1.1", f"{os.getpid()}.", "².1")
    )


def test_a_directory_carries_its_purpose_and_its_owner() -> None:
    path = make_scratch("seat")
    assert path.is_dir()
    assert path.name.startswith(f"firebox-seat-{owner()}-")
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
