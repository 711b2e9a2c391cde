"""What a build step wrote, read as hostile: a report that can be stored and shown, or a refusal."""

import json
from typing import Any

import pytest

from grader.records import BuildReport
from grader.runner import _read_build
from sandbox.exits import Exit, ExitKind
from sandbox.seat import Build

MESSAGE = {"file": "agent.py", "line": 3, "column": 7, "text": "invalid syntax"}


def read(output: bytes, *, timed_out: bool = False, kind: ExitKind = ExitKind.FINISHED) -> Any:
    ended = Exit(kind=kind, status=0, peak_memory_kib=0, user_us=0, system_us=0, stderr="")
    return _read_build(Build(output=output, exit=ended, timed_out=timed_out))


def refused(**changes: object) -> BuildReport:
    head = {"ok": False, "messages": [MESSAGE], "bytes": 0} | changes
    report, artefact = read(json.dumps(head).encode() + b"\n")
    assert artefact == b""
    assert not report.ok
    return report  # type: ignore[no-any-return]


def reason(report: BuildReport) -> str:
    (message,) = report.messages
    return message.text


def test_an_artefact_is_what_follows_the_first_line() -> None:
    report, artefact = read(b'{"ok":true,"messages":[],"bytes":4}\n\0\n\xff\xff')
    assert report.ok
    assert artefact == b"\0\n\xff\xff"


def test_complaints_keep_their_place() -> None:
    (message,) = refused().messages
    assert (message.file, message.line, message.column) == ("agent.py", 3, 7)


@pytest.mark.parametrize(("told", "kept"), [(-1, 0), (10**30, 2**31 - 1)])
def test_a_place_that_no_source_has_is_moved_to_one_that_can_be_stored(
    told: int, kept: int
) -> None:
    (message,) = refused(messages=[MESSAGE | {"line": told, "column": told}]).messages
    assert (message.line, message.column) == (kept, kept)


def test_long_complaints_are_cut_and_many_are_left_out() -> None:
    messages = refused(messages=[{**MESSAGE, "file": "f" * 999, "text": "t" * 1999}] * 99).messages
    assert len(messages) == 50
    assert {(len(message.file), len(message.text)) for message in messages} == {(200, 1000)}


def test_a_refusal_without_a_reason_gets_one() -> None:
    assert "broke the compiler" in reason(refused(messages=[]))


@pytest.mark.parametrize(
    "output",
    [
        b"",
        b"\n",
        b"no json\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"ok":true,"bytes":9}\nshort',
        b'{"ok":true,"bytes":-1}\n',
        b'{"ok":true,"bytes":1e99}\n',
        b'{"ok":1,"bytes":0}\n',
        b'{"ok":false,"bytes":0,"messages":[{"file":"\\ud800","line":0,"column":0,"text":""}]}\n',
    ],
)
def test_what_is_no_report_is_a_refusal(output: bytes) -> None:
    report, artefact = read(output)
    assert "broke the compiler" in reason(report)
    assert artefact == b""


def test_a_first_line_that_is_too_long_is_not_parsed() -> None:
    head = json.dumps({"ok": True, "bytes": 0, "messages": [], "padding": "x" * (1 << 20)})
    report, _ = read(head.encode() + b"\n")
    assert "broke the compiler" in reason(report)


def test_an_artefact_that_came_too_late_is_not_used() -> None:
    report, artefact = read(b'{"ok":true,"bytes":1}\nx', timed_out=True)
    assert "took too long" in reason(report)
    assert artefact == b""
