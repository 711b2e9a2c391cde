"""The site's Celery tasks: JSON in, one call, done. All may run any number of times.

No report is lost with the database: its task waits for it, and after that joins the queue again.
"""

from typing import Any, Final

from django.db import InterfaceError, OperationalError

from grader.audit import AuditReport
from grader.core.records import BatchReport
from webapp import pipeline
from webapp.celery import app
from webapp.evaluations import services
from webapp.graders.services import read_report
from webapp.jobs.outages import outlast
from webapp.jobs.refusals import refusals_kept

REQUEUED: Final[dict[str, Any]] = {
    "autoretry_for": (OperationalError, InterfaceError),
    "max_retries": None,
    "default_retry_delay": 10,
}


@app.task(name="webapp.record_batch", **REQUEUED)
def record_batch(report_json: str) -> None:
    """Record a grader's report on a batch."""

    def record() -> None:
        report, key = read_report(report_json, task="webapp.record_batch", kind=BatchReport)
        pipeline.record_batch(report, key=key)

    with refusals_kept(report_json):
        outlast(record)


@app.task(name="webapp.resend_expired_batches")
def resend_expired_batches() -> None:
    """Tell the broker which graders are admitted; send again batches that were lost."""
    services.admit_graders()
    pipeline.resend_expired_batches()


@app.task(name="webapp.record_audit", **REQUEUED)
def record_audit(report_json: str) -> None:
    """Record a grader's answer to an audit."""

    def record() -> None:
        report, key = read_report(report_json, task="webapp.record_audit", kind=AuditReport)
        services.record_audit(report, key=key)

    with refusals_kept(report_json):
        outlast(record)


@app.task(name="webapp.resend_expired_audits")
def resend_expired_audits() -> None:
    """Send again audits that were lost."""
    services.resend_expired_audits()
