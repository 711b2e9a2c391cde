"""Output of an agent in pieces: each turn returns a line or an AskFailure."""

import os
from collections.abc import Iterator
from typing import Final

from sandbox.errors import SandboxLost
from sandbox.limits import Limits
from sandbox.process import AgentProcess
from sandbox.timeouts import AskFailure, AskFailureKind
from tests.fuzz.pieces import FeedingClock, Reader

LONGEST: Final = 2048
_TURNS: Final = 40
_LIMITS: Final = Limits(
    turn_seconds=60.0,
    turn_wall_seconds=60.0,
    start_seconds=60.0,
    memory_mib=64,
    reply_bytes=64,
    stdout_bytes=1024,
    stderr_bytes=1024,
)
_NEVER: Final = {AskFailureKind.TIMEOUT, AskFailureKind.IDLE}


class _Supervisor:
    """Reports a process that has ended well; obeys nothing else."""

    def stop(self) -> None: ...

    def resume(self) -> None: ...

    def kill(self) -> None: ...

    def interrupt(self) -> None: ...

    def wait_exit(self, seconds: float) -> tuple[int, int, int, int] | None:
        return 0, 0, 0, 0

    def require_own_end(self) -> None: ...


def one(data: bytes) -> None:
    """Play turns with an agent that writes these bytes, and closes its standard input or not."""
    reader = Reader(data)
    closes_stdin = bool(reader.byte() & 1)
    stdin, our_stdin = os.pipe2(os.O_NONBLOCK)
    our_stdout, stdout = os.pipe2(os.O_NONBLOCK)
    our_stderr, stderr = os.pipe2(os.O_NONBLOCK)
    if closes_stdin:
        os.close(stdin)
    clock = FeedingClock(_to(reader, stdout, stderr), (stdout, stderr))
    process = AgentProcess(_Supervisor(), (our_stdin, our_stdout, our_stderr), clock, _LIMITS)
    try:
        _play(process, clock.fed[stdout])
    finally:
        clock.hang_up()
        if not closes_stdin:
            os.close(stdin)


def _to(reader: Reader, stdout: int, stderr: int) -> Iterator[tuple[int, bytes]]:
    """Pieces without bytes are left out: they would only be waited for."""
    for marked, piece in reader.pieces():
        if piece:
            yield stderr if marked else stdout, piece


def _play(process: AgentProcess, written: bytearray) -> None:
    """Ask until there is no answer, and compare the answers with the lines that were written."""
    lines: list[bytes] = []
    try:
        for turn in range(_TURNS):
            answer = process.ask(b"a question\n", start=turn == 0)
            if isinstance(answer, AskFailure):
                _check_trouble(answer, bytes(written))
                break
            assert b"\n" not in answer
            assert len(answer) < _LIMITS.reply_bytes
            lines.append(answer)
        process.finish(b"goodbye\n").stderr.encode()
    except SandboxLost:
        return
    assert lines == bytes(written).split(b"\n")[: len(lines)]


def _check_trouble(trouble: AskFailure, written: bytes) -> None:
    assert trouble.kind not in _NEVER
    assert len(trouble.received) <= 4096
    if trouble.kind is AskFailureKind.QUOTA:
        assert len(written) > _LIMITS.stdout_bytes
    if trouble.kind is AskFailureKind.LONG_LINE:
        assert max(map(len, written.split(b"\n"))) >= _LIMITS.reply_bytes
