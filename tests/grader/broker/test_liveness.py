"""The file by which a liveness probe sees that a worker lives."""

import os
import time
from pathlib import Path

import pytest
from celery.signals import worker_init

from grader.broker.liveness import remove_alive_file, touch_alive_file


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "alive"
    monkeypatch.setenv("FIREBOX_ALIVE_FILE", str(path))
    return path


def test_each_sign_of_life_renews_the_file(file: Path) -> None:
    touch_alive_file()
    os.utime(file, (0, 0))
    touch_alive_file()
    assert time.time() - file.stat().st_mtime < 60


def test_a_worker_that_starts_has_shown_no_life_yet(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else that a worker does at its start is done here: it gives up rights, for one."""
    connected = [each for each in worker_init.receivers or () if each[1]() is remove_alive_file]
    monkeypatch.setattr(worker_init, "receivers", connected)
    touch_alive_file()
    for _ in range(2):
        worker_init.send(sender=None)
        assert not file.exists()


def test_a_file_that_cannot_be_written_ends_no_worker(file: Path) -> None:
    file.symlink_to("/nowhere/alive")
    touch_alive_file()
    assert not file.exists()
