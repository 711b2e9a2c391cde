"""Recording of graders' reports of games, in any order, each any number of times.

Every game is one row, inserted or ignored. Everything else is derived from the rows.
"""

import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from grader.core.errors import RecordError, SystemFault
from grader.core.records import BatchPhase, BatchReport, BatchRequest
from grader.results.receipt import check_requested, check_result, checked_prints
from webapp.base.logs import identified
from webapp.base.storable import storable
from webapp.grading.jobs.claims import claim, require_leave
from webapp.grading.jobs.leases import lease
from webapp.grading.jobs.models import OPEN, Job, JobStatus
from webapp.grading.jobs.owners import GamesOwner, games_owner_of
from webapp.grading.jobs.releasing import release_later
from webapp.grading.jobs.sending import give_up, postpone

logger = logging.getLogger(__name__)

_DECLINED_PAUSE: Final = timedelta(seconds=10)
STRAGGLERS: Final = timedelta(seconds=15)
"""The time in which earlier reports of a batch may still arrive after its last one."""


def record_batch(report: BatchReport, *, key: str | None, at: datetime | None = None) -> None:
    """Record one report of the grader with this public key; ``None``: the report is trusted.

    Late, repeated and unknown reports change nothing. New games are replayed by the rules, while
    nothing is locked. Raises RecordError, and records nothing, if another grader has the batch, if
    it played another request than was sent, or if a result contradicts the rules.
    """
    with identified(evaluation=report.evaluation, batch=report.batch):
        _check_and_record(report, key, at or timezone.now())


def _check_and_record(report: BatchReport, key: str | None, now: datetime) -> None:
    waiting = _job_of(report)
    if waiting is None:
        logger.info("no job waits for this report of batch %s", report.batch)
        return
    job, owner = waiting
    if key is not None:
        require_leave(job, report, key=key, digest=owner.digest_of(job))
    if report.phase == BatchPhase.DECLINED:
        _leave_to_others(job, owner, key or "", now)
        return
    indices = owner.unrecorded_games(job)
    _record(job, owner, checked(report, owner.request_of(job), indices), key, now)


# See webapp/decisions/games-count-by-their-actions.md
def checked(report: BatchReport, request: BatchRequest, indices: Collection[int]) -> BatchReport:
    """Return a report with its games of these indices alone, each of which is replayed.

    Raises RecordError if one contradicts the rules or the request.
    """
    wanted = tuple(result for result in report.results if result.index in indices)
    if len({result.index for result in wanted}) < len(wanted):
        raise RecordError("a game is reported twice")
    check_requested(wanted, request)
    for result in wanted:
        check_result(result)
    return replace(report, results=wanted, prints=checked_prints(report.prints, wanted, request))


def _leave_to_others(job: Job, owner: GamesOwner[Any], key: str, now: datetime) -> None:
    """Raises RecordError if the grader may not decline."""
    if not owner.may_decline(job, key):
        raise RecordError(f"batch {job.uuid} was declined by a grader that was to play it")
    postpone(job, pause=_DECLINED_PAUSE, at=now)


def _job_of(report: BatchReport) -> tuple[Job, GamesOwner[Any]] | None:
    """Return the job of a report and its owner, if known. Raises RecordError for malformed ids."""
    try:
        owner_id, job_id = UUID(report.evaluation), UUID(report.batch)
    except ValueError as error:
        raise RecordError(f"a report with malformed ids: {error}") from error
    # Of four kinds of owners it is most often this one; others are read when they are asked for.
    job = Job.objects.select_related("evaluation__assignment").filter(uuid=job_id).first()
    owner = None if job is None else games_owner_of(job)
    if job is None or owner is None or job.owner.uuid != owner_id:
        return None
    return job, owner


@transaction.atomic
def _record(
    job: Job, owner: GamesOwner[Any], report: BatchReport, key: str | None, now: datetime
) -> None:
    is_awaited = owner.lock(job)
    if key is not None:
        claim(job, report, key=key)
    if not is_awaited:
        logger.info("no job waits for this report of batch %s", report.batch)
        return
    try:
        owner.insert(job, report)
    except SystemFault as fault:  # nothing was inserted; the job counts as given up
        report = replace(
            report, phase=BatchPhase.FAILED, results=(), prints=(), system_fault=str(fault)
        )
    if not job.owner.is_open:
        return  # kept, so that fewer games are missing when staff let it go on
    _note_progress(job, owner, report, now)
    if report.phase == BatchPhase.BUILT:
        owner.note_builds(job, report, at=now)
    else:
        _settle(job, owner, report, now)


def _note_progress(job: Job, owner: GamesOwner[Any], report: BatchReport, now: datetime) -> None:
    """Start the owner and the job at their first report; renew the lease at every one with games.

    A report that brings nothing new may only shorten the lease: no grader keeps a batch without
    playing it.
    """
    owner.begin(job, at=now)
    is_first = job.status == JobStatus.QUEUED and job.advance(JobStatus.PLAYING)
    if is_first:  # the broker holds one less
        release_later([job.queue])
    until = now + (STRAGGLERS if report.phase == BatchPhase.DONE else lease(job))
    worker = storable(report.worker, characters=200)
    rows = Job.objects.filter(pk=job.pk, status__in=OPEN)
    if not is_first and not report.results:
        rows = rows.exclude(lease_until__lt=until)
    rows.update(lease_until=until, worker=worker)


def _settle(job: Job, owner: GamesOwner[Any], report: BatchReport, now: datetime) -> None:
    closed = False
    if owner.is_complete(job, report):
        closed = job.advance(JobStatus.FINISHED)
    elif report.phase == BatchPhase.FAILED:
        reason = storable(report.system_fault, characters=5000)
        give_up(job, reason=reason, at=now, lost=False)
        closed = True
    owner.go_on(job, closed=closed, at=now)
