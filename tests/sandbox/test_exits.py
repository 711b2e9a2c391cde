"""Classification and description of ends, and the kept part of standard error."""

import os
import signal
from collections.abc import Iterator

import pytest

from sandbox.exits import STATUS_INTERRUPTED, STATUS_MEMORY, Exit, ExitKind, StderrDrain, exit_kind
from tests.support.every import every


def exited(status: int) -> int:
    return status << 8


def ended(status: int, kind: ExitKind) -> Exit:
    return Exit(kind=kind, status=status, peak_memory_kib=0, user_us=0, system_us=0, stderr="")


@every(
    ("wait_status", "kind", "status"),
    [
        (exited(0), ExitKind.FINISHED, 0),
        (exited(3), ExitKind.FAILED, 3),
        (exited(STATUS_MEMORY), ExitKind.MEMORY, STATUS_MEMORY),
        (exited(STATUS_INTERRUPTED), ExitKind.FAILED, STATUS_INTERRUPTED),
        (signal.SIGSYS, ExitKind.FORBIDDEN, -signal.SIGSYS),
        (signal.SIGSEGV, ExitKind.SIGNALLED, -signal.SIGSEGV),
        (signal.SIGABRT | 0x80, ExitKind.SIGNALLED, -signal.SIGABRT),
        (signal.SIGKILL, ExitKind.MEMORY, -signal.SIGKILL),
    ],
)
def test_an_end_is_classified_by_its_wait_status(
    wait_status: int, kind: ExitKind, status: int
) -> None:
    assert exit_kind(wait_status, killed_by_us=False) == (kind, status)


@pytest.mark.parametrize(
    "wait_status", [signal.SIGKILL, signal.SIGUSR1, exited(STATUS_INTERRUPTED)]
)
def test_a_process_that_we_killed_is_killed_whatever_its_status(wait_status: int) -> None:
    assert exit_kind(wait_status, killed_by_us=True)[0] is ExitKind.KILLED


@every(
    ("end", "text"),
    [
        (ended(3, ExitKind.FAILED), "exit status 3"),
        (ended(-11, ExitKind.SIGNALLED), "signal 11 (SIGSEGV)"),
        (ended(-40, ExitKind.SIGNALLED), "signal 40 (real-time signal)"),
        (ended(-31, ExitKind.FORBIDDEN), "ended by the system-call filter (SIGSYS)"),
        (ended(-9, ExitKind.KILLED), "still running, ended by the sandbox"),
    ],
)
def test_an_end_is_described_in_words(end: Exit, text: str) -> None:
    assert end.describe() == text


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe2(os.O_NONBLOCK)
    yield read, write
    os.close(read)
    os.close(write)


def test_an_empty_pipe_does_not_block(pipe: tuple[int, int]) -> None:
    assert StderrDrain(pipe[0], 1024).drain()


def test_the_end_of_the_pipe_is_reported() -> None:
    read, write = os.pipe2(os.O_NONBLOCK)
    os.close(write)
    assert not StderrDrain(read, 1024).drain()
    os.close(read)


def test_short_output_is_kept_whole(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 1024)
    os.write(pipe[1], "Grüße\n".encode())
    drain.drain()
    assert drain.text() == "Grüße\n"


def test_long_output_keeps_its_first_and_last_half(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 10)
    for part in (b"abc", b"defgh", b"i" * 1000, b"uvwxyz"):
        os.write(pipe[1], part)
        drain.drain()
    assert drain.text() == "abcde\n[… 1004 bytes left out …]\nvwxyz"


def test_memory_stays_bounded_however_much_arrives(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 1 << 10)
    for _ in range(200):
        os.write(pipe[1], b"x" * 65536)
        drain.drain()
    assert len(drain.text()) < 1100


def test_one_call_takes_a_bounded_amount(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 1 << 10)
    os.write(pipe[1], b"x" * 4096)
    assert drain.drain(at_most_bytes=1)
    with pytest.raises(BlockingIOError):
        os.read(pipe[0], 1)


def test_bytes_that_are_no_text_are_escaped(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 1024)
    os.write(pipe[1], b"\xff\xfe")
    drain.drain()
    assert drain.text() == "\\xff\\xfe"


def test_the_end_of_the_output_is_returned_as_far_as_it_is_kept(pipe: tuple[int, int]) -> None:
    drain = StderrDrain(pipe[0], 10)
    os.write(pipe[1], b"abcdefg")
    drain.drain()
    assert (drain.end(at_most_bytes=3), drain.end(at_most_bytes=99)) == (b"efg", b"abcdefg")
    os.write(pipe[1], b"hijklmn")
    drain.drain()
    assert (drain.end(at_most_bytes=99), drain.received_bytes) == (b"jklmn", 14)
