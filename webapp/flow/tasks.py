"""The site's Celery tasks: JSON in, one call, done. All may run any number of times.

No report is lost with the database: its task waits for it, and after that joins the queue again, as
does at once a task that needs the artefact store.
"""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final, TypeVar

from celery import Task
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from grader.audit import AuditReport
from grader.broker.signing import open_report
from grader.core.errors import SystemFault
from grader.core.folder_check import RECORD_CHECK, GameCheckReport
from grader.core.health import GraderReport
from grader.core.live import RECORD_ANSWER, SeatReport
from grader.core.records import from_json
from grader.uploads.store import StoreUnavailable
from webapp.base.celery import (
    COMPUTE_INSIGHTS,
    NOTE_RESULTS,
    PRUNE,
    RELEASE_WANTED,
    RESEND_LOST_JOBS,
    RESULTS_QUEUE,
    app,
)
from webapp.contests.ladders import services as ladders
from webapp.contests.playing.services import answers, end_idle_games
from webapp.flow import alerting, resending, staff_mail
from webapp.flow.emails import remind_of_deadlines
from webapp.flow.lifecycle import pruning, receiving
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.clearing import remove_expired
from webapp.flow.lti import scores
from webapp.grading import game_folders
from webapp.grading.audits import jobs as audits
from webapp.grading.evaluations.services import grading
from webapp.grading.evaluations.services.insights import (
    compute_insights_of,
    compute_missing_insights,
)
from webapp.grading.graders.services import read_report
from webapp.grading.jobs import (
    broker,
    clock,  # noqa: F401 - it begins with its worker
    inbox,
    leases,
    releasing,
)
from webapp.grading.jobs.claims import admit_graders
from webapp.grading.jobs.refusals import refusals_kept
from webapp.grading.jobs.reports import RECORD_BATCH, record_reports, waiting_reports
from webapp.grading.operations.health import HealthPart
from webapp.grading.operations.services import hear, leave_sign
from webapp.grading.similarity import services as similarity
from webapp.grading.submissions.services import keeping
from webapp.people.auditlog.chain import link_new_acts
from webapp.people.notifications import sending

logger = logging.getLogger(__name__)

T = TypeVar("T")

PRUNE_SECONDS: Final = 5.0
"""Maximum time that other work waits for the removal of data; the rest joins the queue again."""
_YOUNG: Final = timedelta(days=1)
"""An artefact of this age may belong to an upload whose row is about to be written."""

FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 20.0
PATIENCE_SECONDS: Final = 1500.0
"""Well within the time after which the broker gives a message to another worker."""


# See webapp/decisions/database-outages.md
def retry_while_database_is_down(action: Callable[[], None]) -> None:
    """Run a repeatable action, and again while the database is down.

    Raises OperationalError or InterfaceError when it has been down for too long.
    """
    for pause in _pauses():
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            logger.warning("the database is down, next try in %g s: %s", pause, error)
        connection.close()  # of no use any more; the next query opens another
        time.sleep(pause)
    return action()


def _pauses() -> Iterator[float]:
    waited, pause = 0.0, FIRST_PAUSE_SECONDS
    while waited < PATIENCE_SECONDS:
        yield pause
        waited += pause
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


REQUEUED: Final[dict[str, Any]] = {
    "autoretry_for": (OperationalError, InterfaceError, StoreUnavailable),
    "max_retries": None,
    "default_retry_delay": 10,
}


@app.task(name=RECORD_BATCH, bind=True, **REQUEUED)
def record_batch(task: "Task[..., None]", report_json: str) -> None:
    """Record a grader's report on a batch, and at the same time those that wait behind it."""
    with waiting_reports(task, report_json) as waiting:

        def record() -> None:
            waiting.keep()
            record_reports([report_json, *waiting.texts])

        retry_while_database_is_down(record)


def _record(
    task: "Task[..., None]", report_json: str, kind: type[T], record: Callable[[T, str], object]
) -> None:
    """Record what came alone: while it is tried, its message is held for other workers."""
    with inbox.held(RESULTS_QUEUE, task) as message:

        def try_once() -> None:
            message.keep()
            record(*read_report(report_json, task=task.name, kind=kind))

        with refusals_kept(report_json):
            retry_while_database_is_down(try_once)


@app.task(name="webapp.record_audit", bind=True, **REQUEUED)
def record_audit(task: "Task[..., None]", report_json: str) -> None:
    """Record a grader's answer to an audit."""
    _record(
        task, report_json, AuditReport, lambda report, key: audits.record_audit(report, key=key)
    )


@app.task(name=RECORD_CHECK, bind=True, **REQUEUED)
def record_game_check(task: "Task[..., None]", report_json: str) -> None:
    """Record a grader's check of an uploaded game."""
    _record(task, report_json, GameCheckReport, lambda report, _: game_folders.record_check(report))


@app.task(name=RECORD_ANSWER, bind=True, **REQUEUED)
def record_answer(task: "Task[..., None]", report_json: str) -> None:
    """Record an agent's answer in a game with a person."""
    _record(
        task, report_json, SeatReport, lambda report, key: answers.record_answer(report, key=key)
    )


@app.task(name="webapp.record_grader")
def record_grader(report_json: str) -> None:
    """Record a worker's report of itself. A lost one is repeated within minutes."""
    with refusals_kept(report_json):
        signed = open_report(report_json, "webapp.record_grader")
        hear(from_json(signed.text, GraderReport), key=signed.key)


@app.task(name=NOTE_RESULTS)
def note_results(sent_at: str) -> None:
    """Leave a sign that reports are recorded, and how long they wait before that."""
    leave_sign(HealthPart.RESULTS, sent_at=float(sent_at), broker_at=broker.now())


@app.task(name=RESEND_LOST_JOBS)
def resend_lost_jobs() -> None:
    """Tell the broker which graders are admitted; send again what was lost; end idle games."""
    end_idle_games()
    admit_graders()
    leases.resend_lost_jobs()
    leave_sign(HealthPart.TICK)
    alerting.tell_of_background_worker(at=timezone.now())


@app.task(name="webapp.tell_operators")
def tell_operators() -> None:
    """Queue e-mails about failed evaluations and silent graders."""
    alerting.tell_operators(at=timezone.now())
    leave_sign(HealthPart.BACKGROUND)


def _at_present(name: str, act: Callable[..., object]) -> "Task[[], None]":
    """Return a task that does this at the present time."""

    @app.task(name=name)
    def task() -> None:
        act(at=timezone.now())

    return task


go_on_grading = _at_present("webapp.go_on_grading", grading.go_on_grading)
go_on_resending = _at_present("webapp.go_on_resending", resending.go_on_resending)
go_on_comparing = _at_present("webapp.go_on_comparing", similarity.go_on_comparing)
go_on_importing = _at_present("webapp.go_on_importing", receiving.go_on_importing)
forget_kept_uploads = _at_present("webapp.forget_kept_uploads", keeping.forget_old)
tell_staff = _at_present("webapp.tell_staff", staff_mail.tell_staff)
remind = _at_present("webapp.remind_of_deadlines", remind_of_deadlines)
send_notifications = _at_present("webapp.send_notifications", sending.send_due)
send_scores = _at_present("webapp.send_scores", scores.send_due)
play_ladders = _at_present("webapp.play_ladders", ladders.play_all)
release_jobs = _at_present("webapp.release_jobs", releasing.release)
release_wanted = app.task(name=RELEASE_WANTED)(releasing.release_wanted)
link_acts = app.task(name="webapp.link_acts")(link_new_acts)
compute_insights = app.task(name=COMPUTE_INSIGHTS)(compute_insights_of)
compute_missing = app.task(name="webapp.compute_missing_insights")(compute_missing_insights)


@app.task(name=PRUNE)
def prune() -> None:
    """Remove expired data, then artefacts that no row names.

    The clock sends it once a day; it sends itself again until all is done.
    """
    deadline = BatchDeadline(PRUNE_SECONDS)
    remove_expired(deadline, at=timezone.now())
    if deadline.is_over or _prune_store():
        app.send_task(PRUNE)


def _prune_store() -> int:
    """Return how many artefacts are left to remove; a store that fails has time until tomorrow."""
    try:
        return pruning.prune(older_than=_YOUNG, seconds=PRUNE_SECONDS).left
    except SystemFault as fault:
        logger.warning("the artefact store is not pruned today: %s", fault)
        return 0
