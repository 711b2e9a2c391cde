"""Jobs as graders are asked to do them."""

from datetime import datetime

from django.utils import timezone

from grader.audit import AuditCause, AuditRequest, Conclusion, SeatAudit
from grader.core.records import BatchRequest
from webapp.contests.ladders.models import Ladder
from webapp.grading.audits.jobs import audit_jobs_of
from webapp.grading.evaluations.models import AuditRun, Evaluation
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.owners import games_owner_of


def request_of(job: Job) -> BatchRequest:
    """The games that a grader is asked for."""
    owner = games_owner_of(job)
    assert owner is not None
    return owner.request_of(job)


def make_unreadable(row: Evaluation | Ladder) -> None:
    """Give its rules an option that only another version of the site knows."""
    options = {**row.spec["options"], "of_another_version": 1}
    type(row)._default_manager.filter(pk=row.pk).update(spec={**row.spec, "options": options})


def audit_job(audit: AuditRun) -> Job:
    """The latest attempt of an audit, fresh from the database."""
    return Job.objects.filter(**{audit_jobs_of(audit).field: audit}).latest("pk")


def audit_request(audit: AuditRun, *, at: datetime | None = None) -> AuditRequest:
    """The request for it to a grader."""
    attempt = audit_job(audit).attempt
    return audit_jobs_of(audit).request_for(audit, attempt=attempt, at=at or timezone.now())


def audited_seats(
    request: AuditRequest, conclusion: Conclusion = Conclusion.SAME, cause: AuditCause | None = None
) -> tuple[SeatAudit, ...]:
    """An answer with the same conclusion about every seat of every game asked for."""
    return tuple(
        SeatAudit(index=game.index, seat=seat, conclusion=conclusion, turns=20, runs=4, cause=cause)
        for game in request.games
        for seat in request.seats_of(game)
    )
