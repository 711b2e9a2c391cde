"""Retention periods of archived courses, and previews of what would be deleted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from django.db import transaction
from django.db.models import QuerySet

from webapp.flow.lifecycle import stripping
from webapp.flow.lifecycle.batches import ROWS_AT_ONCE, BatchDeadline, in_batches
from webapp.flow.lifecycle.models import Retention
from webapp.flow.lifecycle.tables import course_tables
from webapp.grading.evaluations.models import Draft, Evaluation, Kind
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import changed_values, record
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.permissions import require_instructor

AnyRows: TypeAlias = QuerySet[Any]

_FEWER: Final = 100
"""Games whose logs are removed are unpacked, each batch in memory."""


@dataclass(frozen=True, slots=True)
class RetentionStep:
    rows: AnyRows
    act: Callable[[AnyRows], object]
    size: int = ROWS_AT_ONCE


@dataclass(frozen=True, slots=True)
class RetainedKind:
    name: str
    label: str
    steps: Callable[[Course, datetime], Iterator[RetentionStep]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    label: str
    days: int | None
    due_at: datetime | None
    """``None``: never, or not before the course is archived."""
    rows: int

    def is_due(self, at: datetime) -> bool:
        """Return whether its time has come."""
        return self.due_at is not None and self.due_at <= at


def _games(course: Course) -> list[AnyRows]:
    return [table.rows_of(course) for table in course_tables() if table.has_games]


def _uploads(course: Course) -> "QuerySet[Submission]":
    return Submission.objects.filter(team__assignment__course=course)


def _sources(course: Course, at: datetime) -> Iterator[RetentionStep]:
    yield RetentionStep(
        stripping.with_sources(_uploads(course)), lambda rows: stripping.strip_sources(rows, at=at)
    )
    yield from _drafts(course)


def _drafts(course: Course) -> Iterator[RetentionStep]:
    for rows in (
        Draft.objects.filter(assignment__course=course),
        Evaluation.with_tries.filter(kind=Kind.TRY, assignment__course=course),
    ):
        yield RetentionStep(rows, lambda batch: batch.delete())


def _records(course: Course, at: datetime) -> Iterator[RetentionStep]:
    for games in _games(course):
        yield RetentionStep(games, lambda rows: stripping.remove_games(rows, at=at))


def _prints(course: Course, _: datetime) -> Iterator[RetentionStep]:
    for games in _games(course):
        if any(column.name == "prints" for column in games.model._meta.concrete_fields):
            yield RetentionStep(stripping.games_with_prints(games), stripping.strip_game_prints)


def _logs(course: Course, _: datetime) -> Iterator[RetentionStep]:
    yield RetentionStep(stripping.with_logs(_uploads(course)), stripping.strip_submission_logs)
    for games in _games(course):
        yield RetentionStep(stripping.games_with_logs(games), stripping.strip_game_logs, _FEWER)


KINDS: Final = (
    RetainedKind("sources_days", "uploaded programs", _sources),
    RetainedKind("records_days", "games", _records),
    RetainedKind("prints_days", "output of games", _prints),
    RetainedKind("logs_days", "logs of builds and faults", _logs),
)


@transaction.atomic
def set_retention(*, course: Course, by: User, reason: str = "", **days: int | None) -> Retention:
    """Set the days in the archive after which each kind is deleted; ``None``: never.

    Allowed in an archived course, too. Raises NotAllowed, ValidationError.
    """
    require_instructor(by, course, to_look=True)
    retention = Retention.objects.filter(course=course).first() or Retention(course=course)
    changed = changed_values(retention, days)
    for name, value in days.items():
        setattr(retention, name, value)
    retention.full_clean()
    retention.save()
    if changed["after"]:
        record(ActKind.RETENTION_CHANGED, by=by, course=course, reason=reason, **changed)
    return retention


def due_of(course: Course, *, at: datetime, retention: Retention | None = None) -> list[Due]:
    """Return a preview: each kind with its date and its number of rows."""
    retention = retention or Retention.objects.filter(course=course).first()
    return [_due(course, kind, retention, at) for kind in KINDS]


def _due(course: Course, kind: RetainedKind, retention: Retention | None, at: datetime) -> Due:
    days = None if retention is None else getattr(retention, kind.name)
    counted = sum(step.rows.count() for step in kind.steps(course, at))
    return Due(label=kind.label, days=days, due_at=_date(course, days), rows=counted)


def _date(course: Course, days: int | None) -> datetime | None:
    if days is None or course.archived_at is None:
        return None
    return course.archived_at + timedelta(days=days)


def remove_expired_course_data(
    deadline: BatchDeadline, *, at: datetime, dry_run: bool = False
) -> list[tuple[Course, str, int]]:
    """Remove expired data of all archived courses; return course, kind and number of rows."""
    removed = []
    for course, kind in _expired(at):
        if deadline.is_over:
            break
        if rows := _remove(course, kind, deadline, at, dry_run=dry_run):
            removed.append((course, kind.label, rows))
    return removed


def _expired(at: datetime) -> Iterator[tuple[Course, RetainedKind]]:
    kept = Retention.objects.filter(
        course__archived_at__isnull=False, course__deleted_at__isnull=True
    )
    for retention in kept.select_related("course").order_by("pk"):
        for kind in KINDS:
            date = _date(retention.course, getattr(retention, kind.name))
            if date is not None and date <= at:
                yield retention.course, kind


def _remove(
    course: Course, kind: RetainedKind, deadline: BatchDeadline, at: datetime, *, dry_run: bool
) -> int:
    steps = list(kind.steps(course, at))
    if dry_run:
        return sum(step.rows.count() for step in steps)
    rows = sum(in_batches(step.rows, _unless_reopened(course, step), deadline, size=step.size)
               for step in steps)  # fmt: skip
    if rows:
        _note(course, kind, rows, at)
    return rows


def _unless_reopened(course: Course, step: RetentionStep) -> Callable[[AnyRows], object]:
    """Have each batch look whether the course is still archived, under its lock."""

    def act(rows: AnyRows) -> None:
        still = Course.objects.select_for_update(no_key=True).filter(
            pk=course.pk, archived_at__isnull=False
        )
        if still.exists():
            step.act(rows)

    return act


@transaction.atomic
def _note(course: Course, kind: RetainedKind, rows: int, at: datetime) -> None:
    record(
        ActKind.THROWN_AWAY,
        by=None,
        course=course,
        thing=kind.label,
        after={"number": rows},
        reason="The course's retention.",
        at=at,
    )
