"""The site's Celery tasks: JSON in, one call, done. All may run any number of times.

No report is lost with the database: its task waits for it, and after that joins the queue again, as
does at once a task that needs the artefact store.
"""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

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

PRUNE_SECONDS: Final = 5.0
"""The rest joins the queue again."""
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


def _record(task: "Task[..., None]", report_json: str, record: Callable[[], None]) -> None:
    """Record what came alone: while it is tried, its message is held for other workers."""
    with inbox.held(RESULTS_QUEUE, task) as message:

        def try_once() -> None:
            message.keep()
            record()

        with refusals_kept(report_json):
            retry_while_database_is_down(try_once)


@app.task(name="webapp.record_audit", bind=True, **REQUEUED)
def record_audit(task: "Task[..., None]", report_json: str) -> None:
    """Record a grader's answer to an audit."""

    def record() -> None:
        report, key = read_report(report_json, task="webapp.record_audit", kind=AuditReport)
        audits.record_audit(report, key=key)

    _record(task, report_json, record)


@app.task(name=RECORD_CHECK, bind=True, **REQUEUED)
def record_game_check(task: "Task[..., None]", report_json: str) -> None:
    """Record a grader's check of an uploaded game."""

    def record() -> None:
        report, _ = read_report(report_json, task=RECORD_CHECK, kind=GameCheckReport)
        game_folders.record_check(report)

    _record(task, report_json, record)


@app.task(name="webapp.go_on_grading")
def go_on_grading() -> None:
    """Request the next evaluations where all teams are being graded."""
    grading.go_on_grading(at=timezone.now())


@app.task(name="webapp.go_on_resending")
def go_on_resending() -> None:
    """Send the next failed evaluations again, where an operator asked for it."""
    resending.go_on_resending(at=timezone.now())


@app.task(name="webapp.go_on_comparing")
def go_on_comparing() -> None:
    """Read and compare more sources, where staff asked for it."""
    similarity.go_on_comparing(at=timezone.now())


@app.task(name="webapp.forget_kept_uploads")
def forget_kept_uploads() -> None:
    """Delete the kept files of users who were signed out and did not come back."""
    keeping.forget_old(at=timezone.now())


@app.task(name="webapp.tell_operators")
def tell_operators() -> None:
    """Queue e-mails about failed evaluations and silent graders."""
    alerting.tell_operators(at=timezone.now())
    leave_sign(HealthPart.BACKGROUND)


@app.task(name=RECORD_ANSWER, bind=True, **REQUEUED)
def record_answer(task: "Task[..., None]", report_json: str) -> None:
    """Record an agent's answer in a game with a person."""

    def record() -> None:
        report, key = read_report(report_json, task=RECORD_ANSWER, kind=SeatReport)
        answers.record_answer(report, key=key)

    _record(task, report_json, record)


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


@app.task(name=COMPUTE_INSIGHTS)
def compute_insights(uuid: str) -> None:
    """Compute the statistics of an evaluation that has just finished."""
    compute_insights_of(uuid)


@app.task(name="webapp.compute_missing_insights")
def compute_missing() -> None:
    """Compute the statistics of evaluations that have none."""
    compute_missing_insights()


@app.task(name="webapp.release_jobs")
def release_jobs() -> None:
    """Release waiting jobs to the broker, as many as graders can soon begin."""
    releasing.release()


@app.task(name=RELEASE_WANTED)
def release_wanted() -> None:
    """Release waiting jobs of the queues in which something changed."""
    releasing.release_wanted()


@app.task(name="webapp.play_ladders")
def play_ladders() -> None:
    """Let every ladder ask for its next tables."""
    ladders.play_all()


@app.task(name="webapp.tell_staff")
def tell_staff() -> None:
    """Queue e-mails to staff about what waits for them in their courses."""
    staff_mail.tell_staff(at=timezone.now())


@app.task(name="webapp.remind_of_deadlines")
def remind() -> None:
    """Remind by e-mail of deadlines that are a day away."""
    remind_of_deadlines(at=timezone.now())


@app.task(name="webapp.link_acts")
def link_acts() -> None:
    """Link new acts of the audit log."""
    link_new_acts()


@app.task(name="webapp.send_notifications")
def send_notifications() -> None:
    """Send the e-mails that are due."""
    sending.send_due(at=timezone.now())


@app.task(name="webapp.send_scores")
def send_scores() -> None:
    """Send points to learning platforms."""
    scores.send_due(at=timezone.now())


@app.task(name="webapp.go_on_importing")
def go_on_importing() -> None:
    """Import the next course file that was sent on a page."""
    receiving.go_on_importing(at=timezone.now())


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
