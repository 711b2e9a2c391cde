"""Jobs as graders are asked to do them."""

from datetime import datetime

from django.utils import timezone

from grader.audit import AuditRequest
from grader.core.records import BatchRequest
from webapp.evaluations.models import Audit
from webapp.evaluations.services.audits import request_of as request_of_audit
from webapp.jobs.models import Job
from webapp.jobs.owners import games_owner_of

__all__ = ["audit_job", "audit_request", "request_of"]


def request_of(job: Job) -> BatchRequest:
    """The games that a grader is asked for."""
    owner = games_owner_of(job)
    assert owner is not None
    return owner.request_of(job)


def audit_job(audit: Audit) -> Job:
    """The latest attempt of an audit, fresh from the database."""
    return audit.jobs.latest("pk")


def audit_request(audit: Audit, *, at: datetime | None = None) -> AuditRequest:
    """The request for it to a grader."""
    return request_of_audit(audit, attempt=audit_job(audit).attempt, at=at or timezone.now())
