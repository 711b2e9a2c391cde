"""The file by which a liveness probe sees that a worker lives."""

import os
import time
from pathlib import Path

import pytest
from celery.signals import worker_init

from grader.broker.alive import note_life


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "alive"
    monkeypatch.setenv("FIREBOX_ALIVE_FILE", str(path))
    return path


def test_each_sign_of_life_renews_the_file(file: Path) -> None:
    note_life()
    os.utime(file, (0, 0))
    note_life()
    assert time.time() - file.stat().st_mtime < 60


def test_a_worker_that_starts_has_shown_no_life_yet(file: Path) -> None:
    note_life()
    worker_init.send(sender=None)
    assert not file.exists()
    worker_init.send(sender=None)


def test_a_file_that_cannot_be_written_ends_no_worker(file: Path) -> None:
    file.symlink_to("/nowhere/alive")
    note_life()
    assert not file.exists()
