"""Reports made from a build step's output, which is untrusted.

An adapter's first line is JSON, ``{"ok", "messages", "bytes"}``; the artefact of ``bytes`` bytes
follows.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from grader.core.records import BuildMessage, BuildReport
from sandbox.control import Build
from sandbox.exits import ExitKind

_BUILD_REPORT_BYTES: Final = 1 << 20
"""Longest first line of it that is parsed; an adapter's own is a few hundred bytes a file."""
_BUILD_LOG_CHARACTERS: Final = 16_000
_MAX_BUILD_MESSAGES: Final = 50
_BUILD_MESSAGE_CHARACTERS: Final = 1000
_FILE_NAME_CHARACTERS: Final = 200
_LAST_LINE: Final = (1 << 31) - 1
"""No line or column of a source is larger."""


class _BuildHead(msgspec.Struct):
    """First line of an adapter's build output."""

    ok: bool
    bytes: int
    messages: list[BuildMessage] = []


def read_build(build: Build) -> tuple[BuildReport, bytes]:
    """Parse the output of an adapter's build step, as hostile as any output of a sandbox."""
    head, _, artefact = build.output.partition(b"\n")
    log = build.exit.stderr[-_BUILD_LOG_CHARACTERS:]
    if len(head) > _BUILD_REPORT_BYTES:
        return _unbuildable(build, log), b""
    try:
        report = msgspec.json.decode(head, type=_BuildHead)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _unbuildable(build, log), b""
    complete = report.ok and report.bytes == len(artefact) and not build.timed_out
    if complete:
        return BuildReport(ok=True, messages=_bounded(report.messages), log=log), artefact
    if report.ok or not report.messages:
        return _unbuildable(build, log), b""
    return BuildReport(ok=False, messages=_bounded(report.messages), log=log), b""


def _bounded(messages: Sequence[BuildMessage]) -> tuple[BuildMessage, ...]:
    return tuple(
        BuildMessage(
            file=message.file[:_FILE_NAME_CHARACTERS],
            line=min(max(message.line, 0), _LAST_LINE),
            column=min(max(message.column, 0), _LAST_LINE),
            text=message.text[:_BUILD_MESSAGE_CHARACTERS],
        )
        for message in messages[:_MAX_BUILD_MESSAGES]
    )


def _unbuildable(build: Build, log: str) -> BuildReport:
    if build.timed_out:
        reason = "took too long to compile, or became too large"
    elif build.exit.kind is ExitKind.MEMORY:
        reason = "needed too much memory to compile"
    else:
        reason = f"broke the compiler ({build.exit.describe()})"
    message = BuildMessage(file="", line=0, column=0, text=f"The sources {reason}.")
    return BuildReport(ok=False, messages=(message,), log=log)
