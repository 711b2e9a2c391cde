"""The Celery tasks of this app: text in, one call, done."""

from grader.broker.signing import open_report
from grader.core.health import GraderReport
from grader.core.records import from_json
from webapp.base.celery import app
from webapp.grading.jobs import broker
from webapp.grading.jobs.refusals import refusals_kept
from webapp.grading.operations import services
from webapp.grading.operations.health import HealthPart


@app.task(name="webapp.record_grader")
def record_grader(report_json: str) -> None:
    """Record a worker's report of itself. A lost one is repeated within minutes."""
    with refusals_kept(report_json):
        signed = open_report(report_json, "webapp.record_grader")
        services.hear(from_json(signed.text, GraderReport), key=signed.key)


@app.task(name="webapp.note_results")
def note_results(sent_at: str) -> None:
    """Leave a sign that reports are recorded, and how long they wait before that."""
    services.leave_sign(HealthPart.RESULTS, sent_at=float(sent_at), broker_at=broker.now())
