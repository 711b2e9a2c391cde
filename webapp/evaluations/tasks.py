"""The site's Celery tasks: JSON in, one call, done. All may run any number of times."""

from grader.audit import AuditReport
from grader.records import BatchReport, from_json
from webapp.celery import app
from webapp.evaluations import services


@app.task(name="webapp.record_batch")
def record_batch(report_json: str) -> None:
    """Take in what a grader reports of a batch."""
    services.record_batch(from_json(report_json, BatchReport))


@app.task(name="webapp.resend_expired_batches")
def resend_expired_batches() -> None:
    """Look after batches that nobody hears of."""
    services.resend_expired_batches()


@app.task(name="webapp.record_audit")
def record_audit(report_json: str) -> None:
    """Take in what a grader answers to an audit."""
    services.record_audit(from_json(report_json, AuditReport))


@app.task(name="webapp.resend_expired_audits")
def resend_expired_audits() -> None:
    """Look after audits that nobody hears of."""
    services.resend_expired_audits()
