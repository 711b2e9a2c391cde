"""What is kept of a reply that does not count: it came late, in part, or not at all."""

import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sandbox.process import AgentProcess
from sandbox.timeouts import AskFailure, AskFailureKind
from tests.sandbox.stage import IMPATIENT, plain_sandbox


@contextmanager
def started(talker: str, sources: Path, **changes: Any) -> Iterator[AgentProcess]:
    with plain_sandbox(talker, sources, **changes) as opened:
        process = opened.sandbox.start_process()
        yield process
        process.finish(None)


def failure_of(process: AgentProcess, *, start: bool = False) -> AskFailure:
    answer = process.ask(b"hello\n", start=start)
    assert isinstance(answer, AskFailure), answer
    return answer


@pytest.mark.parametrize("pipe", ["input", "output"])
def test_the_pipe_that_was_closed_is_named(tmp_path: Path, pipe: str) -> None:
    talker = "closes_stdin" if pipe == "input" else "closes_stdout"
    with started(talker, tmp_path) as process:
        if pipe == "input":
            await_broken_pipe(process._in)
        failure = failure_of(process, start=True)
    assert failure.detail == f"closed its standard {pipe} before the game was over"


def test_a_reply_without_its_newline_is_kept(tmp_path: Path) -> None:
    limits = IMPATIENT | {"start_seconds": 0.2}
    with started("without_its_newline", tmp_path, **limits) as process:
        failure = failure_of(process, start=True)
    assert (failure.kind, failure.received) == (AskFailureKind.IDLE, b"hello")
    assert failure.unfinished_bytes == 5


def test_a_late_reply_is_kept(tmp_path: Path) -> None:
    with started("late", tmp_path, turn_seconds=0.05) as process:
        process.ask(b"one\n", start=True)
        failure = failure_of(process)
    assert (failure.kind, failure.received) == (AskFailureKind.TIMEOUT, b"hello")
    assert failure.unfinished_bytes == 0


def test_nothing_is_kept_if_nothing_came(tmp_path: Path) -> None:
    with started("exits", tmp_path) as process:
        failure = failure_of(process, start=True)
    assert (failure.received, failure.unfinished_bytes) == (b"", 0)


def await_broken_pipe(descriptor: int) -> None:
    """Wait until nobody has the pipe's other end open any more."""
    poll = select.poll()
    poll.register(descriptor, 0)
    assert poll.poll(60_000), "the pipe was not closed"
