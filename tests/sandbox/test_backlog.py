"""A process that prints much is not charged for the time that its output takes to be read."""

import time
from pathlib import Path

import pytest

from sandbox import backlog as backlogs
from sandbox import process as processes
from sandbox.backlog import FORGIVEN_BYTES, PERHAPS_FULL_BYTES, Backlog
from sandbox.clock import ProcessClock, Usage
from sandbox.exits import StderrDrain
from sandbox.process import AgentProcess
from tests.sandbox.stage import plain_sandbox
from tests.sandbox.talkers import burn

SECOND = 1_000_000_000


def asked(talker: str, sources: Path) -> tuple[AgentProcess, bytes]:
    with plain_sandbox(talker, sources) as opened:
        process = opened.sandbox.start_process()
        process.ask(b"one\n", start=True)
        answer = process.ask(b"two\n")
        process.finish(None)
        assert isinstance(answer, bytes), answer
        return process, answer


@pytest.mark.slow
def test_reading_slowly_what_a_process_prints_is_not_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a pipe's content takes 20 ms here: a second for three megabytes."""
    drain = StderrDrain.drain

    def slow(self: StderrDrain) -> bool:
        burn(0.02)
        return drain(self, at_most_bytes=1)

    monkeypatch.setattr(StderrDrain, "drain", slow)
    process, answer = asked("floods", tmp_path)
    assert answer == b"two"
    assert process.charged_us < 300_000


@pytest.mark.parametrize(("forgiven", "counts"), [(FORGIVEN_BYTES, True), (0, False)])
def test_what_a_flood_leaves_in_the_pipe_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, forgiven: int, counts: bool
) -> None:
    """It would hold the worker for several times as long as it is charged."""
    seen, look = [], Backlog.look

    def note(self: Backlog, clock: ProcessClock, unread_bytes: int) -> None:
        seen.append(unread_bytes)
        look(self, clock, unread_bytes)

    monkeypatch.setattr(Backlog, "look", note)
    monkeypatch.setattr(processes, "FORGIVEN_BYTES", forgiven)
    asked("floods", tmp_path)
    assert any(seen) is counts


def test_sleep_of_its_own_is_charged_to_a_process_that_prints(tmp_path: Path) -> None:
    process, _ = asked("floods_and_sleeps", tmp_path)
    assert process.charged_us > 400_000


class Stopped(ProcessClock):
    """The clock of a process that has used this much."""

    def __init__(self, usage: Usage, *, is_runnable: bool = False) -> None:
        self._used, self._is_runnable = usage, is_runnable

    def read(self) -> Usage:
        return self._used

    def is_runnable(self) -> bool:
        return self._is_runnable


class Clocks:
    """What the clocks of the host and of the reading thread show, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.ran = self.waited = 0
        monkeypatch.setattr(time, "perf_counter_ns", lambda: self.wall)
        monkeypatch.setattr(time, "thread_time_ns", lambda: self.ran)
        monkeypatch.setattr(backlogs, "own_wait_ns", lambda: self.waited)


@pytest.mark.parametrize(
    ("unread", "used", "waited", "uncharged"),
    [
        (PERHAPS_FULL_BYTES, Usage(0, 0), SECOND, SECOND),
        (PERHAPS_FULL_BYTES, Usage(SECOND // 4, SECOND // 2), SECOND, SECOND // 4),
        (PERHAPS_FULL_BYTES, Usage(0, 0), SECOND // 3, SECOND // 3),
        (PERHAPS_FULL_BYTES - 1, Usage(0, 0), SECOND, 0),
        (PERHAPS_FULL_BYTES, Usage(0, 0), 0, 0),
    ],
)
def test_only_sleep_before_a_full_pipe_while_the_reader_was_late_is_not_charged(
    monkeypatch: pytest.MonkeyPatch, unread: int, used: Usage, waited: int, uncharged: int
) -> None:
    clocks = Clocks(monkeypatch)
    backlog = Backlog(0, Usage(0, 0), 0)
    clocks.wall, clocks.waited = SECOND, waited
    backlog.look(Stopped(used), unread)
    assert backlog.uncharged_ns(0) == uncharged
    assert backlog.uncharged_ns(SECOND) == SECOND, "counted once"


def test_a_process_that_could_run_did_not_wait_for_the_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clocks = Clocks(monkeypatch)
    backlog = Backlog(0, Usage(0, 0), 0)
    clocks.wall = clocks.waited = SECOND
    backlog.look(Stopped(Usage(0, 0), is_runnable=True), PERHAPS_FULL_BYTES)
    assert backlog.uncharged_ns(0) == 0
