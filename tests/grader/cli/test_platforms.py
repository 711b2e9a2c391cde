"""Other systems than Linux: what works there works, and the rest says what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import main, windows

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
WITHOUT_LINUX = """
import os, select, socket, sys
for module, names in (
    (os, ("sched_getaffinity", "sched_setaffinity", "pipe2", "pidfd_open")),
    (socket, ("SOCK_SEQPACKET", "SCM_CREDENTIALS", "SO_PASSCRED", "SO_PEERCRED")),
    (select, ("epoll",)),
):
    for name in names:
        delattr(module, name) if hasattr(module, name) else None
from grader.cli import main
sys.platform = "darwin"
sys.exit(main(["new", sys.argv[1]]))
"""
"""What macOS lacks is taken away before the command is imported."""


def test_on_macos_a_folder_to_start_from_is_made(tmp_path: Path) -> None:
    run = [sys.executable, "-c", WITHOUT_LINUX, str(tmp_path / "kit")]
    subprocess.run(run, cwd=ROOT, check=True, capture_output=True)
    assert (tmp_path / "kit" / "agent.py").exists()


@pytest.mark.parametrize("words", [["play", "agent.py"], ["check"], ["paper"]])
def test_on_macos_playing_is_refused_with_a_way_out(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(words) == 3
    assert f"Run `firebox {words[0]}` in a Linux container" in capsys.readouterr().err


def test_on_windows_every_command_names_the_way_to_linux(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert windows.main(["submit", "agent.py"]) == 3
    assert "wsl --install" in capsys.readouterr().err
