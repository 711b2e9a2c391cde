"""Signed reports of games, as they wait in the queue of results: recorded several at a time."""

from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from celery import Task
from django.utils import timezone

from grader.broker.signing import SignedReport, open_report
from grader.core.errors import RecordError
from grader.core.records import BatchReport, from_json
from webapp.base.celery import RESULTS_QUEUE
from webapp.grading.graders.services import NOT_ADMITTED, admitted
from webapp.grading.jobs import inbox, recording
from webapp.grading.jobs.additions import Reported, add_games
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.jobs.refusals import refusals_kept

__all__ = ["RECORD_BATCH", "Waiting", "record_reports", "waiting_reports"]

RECORD_BATCH: Final = "webapp.record_batch"
"""The task to which graders send reports of games."""
_MOST_REPORTS: Final = 32
"""Reports that are recorded at a time,"""
_MOST_CHARACTERS: Final = 200_000
"""unless these are in them already: some hundred games, so that a verdict waits for a moment."""


def record_reports(texts: Sequence[str]) -> None:
    """Record reports, each any number of times; set aside those that are refused."""
    signed = list(_opened(texts))
    keys = admitted(one.key for _, one in signed)
    for one in _without_added(list(_read(signed, keys))):
        with refusals_kept(one.text):
            recording.record_batch(one.report, key=one.key)


def _without_added(reported: list[Reported]) -> list[Reported]:
    """Add games as long as some can be added; return the reports to be recorded one by one.

    After an error these are all that are left, whichever of them caused it.
    """
    left = reported
    with errors_logged("several reports cannot be recorded together"):
        while len(others := add_games(left, at=timezone.now())) < len(left):
            left = others  # among them are second reports of a batch
    return left


def _opened(texts: Sequence[str]) -> Iterator[tuple[str, SignedReport]]:
    for text in texts:
        with refusals_kept(text):
            yield text, open_report(text, RECORD_BATCH)


def _read(signed: Sequence[tuple[str, SignedReport]], keys: set[str]) -> Iterator[Reported]:
    for text, one in signed:
        with refusals_kept(text):
            if one.key not in keys:
                raise RecordError(NOT_ADMITTED)
            yield Reported(report=from_json(one.text, BatchReport), key=one.key, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Reports that were taken from the queue."""

    texts: list[str]
    keep: Callable[[], None]
    """To be called before each try to record them: otherwise another worker is given them."""


@contextmanager
def waiting_reports(task: "Task[..., None]", report_json: str) -> Iterator[Waiting]:
    """Take reports from the queue behind the one of this task, up to the first other message.

    They go back to the head of the queue after an exception. If this worker is killed, another is
    given them, and the one of this task.
    """
    taken_from = (task.request.delivery_info or {}).get("routing_key")
    fitting = _MOST_CHARACTERS // max(len(report_json), 1)  # others are about as large
    most = min(_MOST_REPORTS - 1, fitting) if taken_from == RESULTS_QUEUE else 0
    tag = inbox.tag_of(task)
    with inbox.taken(RESULTS_QUEUE, most=most, wanted=_is_report, tag=tag) as taken:
        texts = [_arguments(message)[0][0] for message in taken.values]
        yield Waiting(texts=texts, keep=taken.keep)


def _is_report(message: dict[str, Any]) -> bool:
    """Return whether a message is a report to be recorded now."""
    headers = message["headers"]
    if headers["task"] != RECORD_BATCH or headers.get("eta") or headers.get("expires"):
        return False
    arguments, keywords = _arguments(message)
    return len(arguments) == 1 and isinstance(arguments[0], str) and not keywords


def _arguments(message: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    arguments, keywords, _ = msgspec.json.decode(b64decode(message["body"]))
    return arguments, keywords
