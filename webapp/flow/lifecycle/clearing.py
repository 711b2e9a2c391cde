"""The daily deletion, in batches: deleted courses, expired data of courses, expired rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from webapp.flow.lifecycle.batches import BatchDeadline, in_batches, raw_delete
from webapp.flow.lifecycle.models import CourseImport, RetentionStage
from webapp.flow.lifecycle.services.deleting import remove_deleted_courses
from webapp.flow.lifecycle.services.retention import remove_expired_course_data
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.jobs.models import OPEN, Job
from webapp.grading.jobs.runs import OPEN as OPEN_RUNS
from webapp.grading.submissions.models import RefusedUpload
from webapp.people.accounts.models import AccessToken, FormAttempt
from webapp.people.accounts.rate_limits import RATE_LIMITS
from webapp.people.notifications.models import Notification
from webapp.people.notifications.sending import KEPT as LETTERS_KEPT

AnyRows: TypeAlias = QuerySet[Any]

IMPORTS_KEPT: Final = timedelta(days=1)
"""The page shows the outcome of a person's last import for as long."""
TRIES_KEPT: Final = timedelta(days=7)
"""The page of a draft shows its last try for as long; then its games go."""
JOBS_KEPT: Final = timedelta(days=30)
"""A closed job is kept as long: late reports find it, and operators see what failed."""
_ROWS_AT_ONCE: Final = 2000


@dataclass(frozen=True, slots=True)
class Cleared:
    label: str
    rows: int


def remove_expired(
    deadline: BatchDeadline, *, at: datetime, dry_run: bool = False
) -> list[Cleared]:
    """Remove deleted courses, expired data of courses, and expired rows, until the deadline.

    ``dry_run`` removes nothing and does not count deleted courses.
    """
    cleared = []
    if not dry_run:
        cleared.append(Cleared("rows of deleted courses", remove_deleted_courses(deadline)))
    for course, kind, rows in remove_expired_course_data(deadline, at=at, dry_run=dry_run):
        cleared.append(Cleared(f"{kind} of {course}", rows))
    return [*cleared, *clear_away(deadline, at=at, dry_run=dry_run)]


def clear_away(deadline: BatchDeadline, *, at: datetime, dry_run: bool = False) -> list[Cleared]:
    """Delete expired rows, and return their number by kind; ``dry_run`` only counts them."""
    removed = []
    for label, rows in _kinds(at):
        n_rows = rows.count() if dry_run else _delete(rows, deadline)
        removed.append(Cleared(label, n_rows))
    return removed


def _delete(rows: AnyRows, deadline: BatchDeadline) -> int:
    model = rows.model
    if model is Session:
        return _delete_by_text_key(rows, deadline)
    act = (lambda part: part.delete()) if model in (Job, Evaluation) else raw_delete
    return in_batches(rows, act, deadline, size=_ROWS_AT_ONCE)


def _delete_by_text_key(rows: AnyRows, deadline: BatchDeadline) -> int:
    done = 0
    while not deadline.is_over:
        keys = list(rows.values_list("pk", flat=True)[:_ROWS_AT_ONCE])
        if not keys:
            break
        raw_delete(rows.model._base_manager.filter(pk__in=keys))
        done += len(keys)
    return done


def _kinds(at: datetime) -> Iterator[tuple[str, AnyRows]]:
    longest = max(limit.window for limit in RATE_LIMITS.values())
    lockout = timedelta(hours=float(settings.AXES_COOLOFF_TIME))
    yield "ended sessions", Session.objects.filter(expire_date__lt=at)
    yield "old failed sign-ins", AccessAttempt.objects.filter(attempt_time__lt=at - 2 * lockout)
    yield "old attempts by network", FormAttempt.objects.filter(at__lt=at - longest)
    imports = CourseImport.objects.filter(stage__in=(RetentionStage.DONE, RetentionStage.REFUSED))
    yield "old imports", imports.filter(touched_at__lt=at - IMPORTS_KEPT)
    yield "refused uploads", RefusedUpload.objects.filter(at__lt=at - timedelta(days=1))
    yield (
        "expired access tokens",
        AccessToken.objects.filter(expires_at__lt=at - timedelta(days=90)),
    )
    yield "old e-mails", Notification.objects.filter(created_at__lt=at - LETTERS_KEPT)
    tries = Evaluation.with_tries.filter(kind=Kind.TRY).exclude(status__in=OPEN_RUNS)
    yield "old tries", tries.filter(requested_at__lt=at - TRIES_KEPT)
    closed = Job.objects.exclude(status__in=OPEN)
    yield "closed jobs", closed.filter(created_at__lt=at - JOBS_KEPT)
