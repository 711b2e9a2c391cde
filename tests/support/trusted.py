"""Reports recorded as if a trusted grader had sent them: what graders sign is tested by itself."""

from datetime import datetime

from grader.audit.records import AuditReport
from grader.core.records import BatchReport
from webapp.grading.audits import jobs as audits
from webapp.grading.jobs import recording


def record_batch(report: BatchReport, *, at: datetime | None = None) -> None:
    """Record a report of games from no grader in particular."""
    recording.record_batch(report, key=None, at=at)


def record_audit(report: AuditReport, *, at: datetime | None = None) -> None:
    audits.record_audit(report, key=None, at=at)
