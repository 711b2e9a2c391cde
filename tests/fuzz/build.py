"""The output of a build step: a report that can be sent and stored, whatever arrived."""

import os
from typing import Final

import msgspec

from grader.core.records import BuildReport, from_json, to_json
from grader.uploads.build_output import read_build
from sandbox.control import Build, _read_all
from sandbox.exits import Exit, StderrDrain, exit_kind
from tests.fuzz.pieces import FeedingClock, Reader

LONGEST: Final = 4096
_LIMIT_BYTES: Final = 2048
_STATUSES: Final = (0, 9, 11, 31, 71 << 8, 1 << 8)
"""As ``wait4`` tells them: success, three signals, out of memory, failure."""


class _Told(msgspec.Struct):
    """The size in a head whose other fields, not even in UTF-8 perhaps, are not looked at."""

    bytes: int


def one(data: bytes) -> None:
    """Collect the bytes from a pipe, as from an adapter, and read them as its report."""
    reader = Reader(data)
    how = reader.byte()
    output, complete = _collected(reader)
    assert len(output) <= _LIMIT_BYTES + 65536
    kind, status = exit_kind(_STATUSES[how % len(_STATUSES)], killed_by_us=False)
    ended = Exit(
        kind=kind, status=status, peak_memory_kib=0, user_us=0, system_us=0, stderr="\0é" * how
    )
    report, artefact = read_build(Build(output=output, exit=ended, timed_out=not complete))
    _check(report, artefact, output)


def _collected(reader: Reader) -> tuple[bytes, bool]:
    """In two pieces."""
    theirs, ours = os.pipe2(os.O_NONBLOCK)
    first = reader.take(reader.byte())
    pieces = iter([(ours, piece) for piece in (first, reader.rest()) if piece])
    clock = FeedingClock(pieces, (ours,))
    silent, theirs_too = os.pipe2(os.O_NONBLOCK)
    try:
        printed = StderrDrain(silent, 0)
        return _read_all(theirs, lambda: clock.read().ran / 1e9, 60.0, _LIMIT_BYTES, printed)
    finally:
        for descriptor in (theirs, silent, theirs_too):
            os.close(descriptor)
        clock.hang_up()
        clock.close()


def _check(report: BuildReport, artefact: bytes, output: bytes) -> None:
    assert from_json(to_json(report), BuildReport) == report
    assert report.ok or not artefact
    assert report.ok or report.messages
    if report.ok:
        head, _, rest = output.partition(b"\n")
        assert artefact == rest
        assert msgspec.json.decode(head, type=_Told).bytes == len(artefact)
    assert len(report.messages) <= 50
    assert len(report.log) <= 16_000
    for message in report.messages:
        assert len(message.file) <= 200
        assert len(message.text) <= 1000
        assert 0 <= message.line < 1 << 31
        assert 0 <= message.column < 1 << 31
