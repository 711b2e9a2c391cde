"""The file by which a liveness probe sees that a worker lives."""

import os
import time
from pathlib import Path

import pytest
from celery.signals import worker_init

from grader.broker.liveness import touch_alive_file


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


def test_a_worker_that_starts_has_shown_no_life_yet(file: Path) -> None:
    touch_alive_file()
    worker_init.send(sender=None)
    assert not file.exists()
    worker_init.send(sender=None)


def test_a_file_that_cannot_be_written_ends_no_worker(file: Path) -> None:
    file.symlink_to("/nowhere/alive")
    touch_alive_file()
    assert not file.exists()
