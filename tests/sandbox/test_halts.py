"""Frozen control groups of both versions, in files as the kernel writes them."""

import os
from pathlib import Path

import pytest

from sandbox.halts import Halts

STATE = ("freezer/seat", "freezer.state")
EVENTS = ("seat", "cgroup.events")


@pytest.mark.parametrize(
    ("lines", "place", "text", "halted"),
    [
        ("2:freezer:/seat\n0::/\n", STATE, "FROZEN\n", True),
        ("2:freezer:/seat\n0::/\n", STATE, "THAWED\n", False),
        ("0::/seat\n", EVENTS, "populated 1\nfrozen 1\n", True),
        ("0::/seat\n", EVENTS, "populated 1\nfrozen 0\n", False),
        ("0::/../seat\n", EVENTS, "populated 1\nfrozen 1\n", False),
    ],
)
def test_a_frozen_control_group_is_seen_in_both_versions_unless_it_is_out_of_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *,
    lines: str, place: tuple[str, str], text: str, halted: bool,
) -> None:  # fmt: skip
    folder = tmp_path / "groups" / place[0]
    folder.mkdir(parents=True)
    (folder / place[1]).write_text(text)
    monkeypatch.setattr("sandbox.control_groups.Path.read_text", lambda *_, **__: lines)
    assert Halts(os.getpid(), tmp_path / "groups").is_halted() is halted
