"""Threads of a worker that look at something again and again."""

import threading

import pytest

from grader.worker import tasks


def test_a_thread_goes_on_after_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ending, looks = threading.Event(), []

    def look() -> None:
        looks.append("looked")
        if len(looks) == 1:
            raise KeyError("unexpected")
        ending.set()

    monkeypatch.setattr(tasks, "_ending", ending)
    tasks._repeat(look, 0.0)
    assert len(looks) == 2
    assert "unexpected" in caplog.text
