"""Signed reports of games, as they wait in the queue of results: recorded several at a time."""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from celery import Task
from django.utils import timezone

from grader.broker.signing import SignedReport, open_report
from grader.core.errors import RecordError
from grader.core.records import BatchPhase, BatchReport, from_json
from webapp.base.celery import RESULTS_QUEUE
from webapp.grading.graders.services import NOT_ADMITTED, admitted
from webapp.grading.jobs import inbox, recording
from webapp.grading.jobs.claims import require_leave
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.jobs.leases import renew
from webapp.grading.jobs.models import OWNERS, Job, JobStatus
from webapp.grading.jobs.owners import GamesOwner, games_owner_of
from webapp.grading.jobs.recording import checked
from webapp.grading.jobs.refusals import refusals_kept

_READ: Final = (
    *("uuid", "payload", "attempt", "losses", "status", "lease_until", "claimed_by"),
    *(f"{owner}_id" for owner in OWNERS),
    *(f"evaluation__{field}" for field in ("uuid", "assignment", "kind", "interface")),
    *(f"evaluation__{field}" for field in ("interface_options", "sha256", "opponents", "spec")),
    *(f"evaluation__{field}" for field in ("keeps_prints", "n_games", "status", "games_done")),
    *(f"evaluation__{field}" for field in ("faults", "stop_index", "ms_per_game")),
    *(
        f"evaluation__assignment__{field}"
        for field in ("secret", "practice_secret", "game_version")
    ),
)
"""The columns that a usual report needs: to read all takes a fifth of its processor time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    report: BatchReport
    key: str
    text: str


# See webapp/decisions/recording-several-reports.md
def add_games(reported: Sequence[Reported], *, at: datetime) -> list[Reported]:
    """Record those that only bring more games; return all others, in their order."""
    jobs = _jobs_of(reported)
    chosen = {job.pk: (job, one) for job, one in reversed(list(_playing(reported, jobs)))}
    by_owner: defaultdict[GamesOwner[Any], list[tuple[Job, Reported]]] = defaultdict(list)
    for job, one in chosen.values():
        if owner := games_owner_of(job):
            by_owner[owner].append((job, one))
    done: set[int] = set()
    for owner, pairs in by_owner.items():
        done |= _add(owner, pairs)
    added = {id(one) for pk, (_, one) in chosen.items() if pk in done}
    renew([job for pk, (job, _) in chosen.items() if pk in done], at=at)
    return [one for one in reported if id(one) not in added]


def _jobs_of(reported: Iterable[Reported]) -> dict[str, Job]:
    names = {one.report.batch for one in reported if _is_usual(one.report)}
    uuids = [uuid for name in names if (uuid := _uuid(name))]
    rows = Job.objects.select_related("evaluation__assignment").only(*_READ).filter(uuid__in=uuids)
    return {str(job.uuid): job for job in rows} if uuids else {}


def _is_usual(report: BatchReport) -> bool:
    return report.phase == BatchPhase.PLAYING and bool(report.results) and not report.prints


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _playing(reported: Iterable[Reported], jobs: dict[str, Job]) -> Iterator[tuple[Job, Reported]]:
    for one in reported:
        job = jobs.get(one.report.batch)
        if (
            job is not None
            and _is_usual(one.report)
            and job.status == JobStatus.PLAYING
            and job.claimed_by == one.key
            and job.lease_until is not None
        ):
            yield job, one


def _add(owner: GamesOwner[Any], pairs: Sequence[tuple[Job, Reported]]) -> set[int]:
    games = [(job, {result.index for result in one.report.results}) for job, one in pairs]
    unrecorded = owner.unrecorded_of(games)
    reports = []
    for job, one in pairs:
        indices = unrecorded.get(job.pk)
        if not indices or str(job.owner.uuid) != one.report.evaluation:
            continue
        try:
            require_leave(job, one.report, key=one.key, digest=owner.digest_of(job))
            reports.append((job, checked(one.report, owner.request_of(job), indices)))
        except RecordError:  # said when it is recorded alone
            continue
    return owner.add(reports) if reports else set()


RECORD_BATCH: Final = "webapp.record_batch"
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
    """Add games as long as some can be added; return the reports to be recorded one by one."""
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
    texts: list[str]
    keep: Callable[[], None]
    """To be called before each try to record them: otherwise another worker is given them."""


@contextmanager
def waiting_reports(task: "Task[..., None]", report_json: str) -> Iterator[Waiting]:
    """Take reports from the queue behind the one of this task, up to the first other message.

    They go back after an exception, or to another worker if this one is killed.
    """
    taken_from = (task.request.delivery_info or {}).get("routing_key")
    fitting = _MOST_CHARACTERS // max(len(report_json), 1)  # others are about as large
    most = min(_MOST_REPORTS - 1, fitting) if taken_from == RESULTS_QUEUE else 0
    tag = inbox.tag_of(task)
    with inbox.taken(RESULTS_QUEUE, most=most, wanted=_is_report, tag=tag) as taken:
        texts = [_arguments(message)[0][0] for message in taken.values]
        yield Waiting(texts=texts, keep=taken.keep)


def _is_report(message: dict[str, Any]) -> bool:
    headers = message["headers"]
    if headers["task"] != RECORD_BATCH or headers.get("eta") or headers.get("expires"):
        return False
    arguments, keywords = _arguments(message)
    return len(arguments) == 1 and isinstance(arguments[0], str) and not keywords


def _arguments(message: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    arguments, keywords, _ = msgspec.json.decode(b64decode(message["body"]))
    return arguments, keywords
