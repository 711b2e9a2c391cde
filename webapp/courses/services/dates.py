"""More time, for a team, a student or a section: each decision with who took it, when, and why.

Whoever may have points already is graded anew with their new lateness: ``pipeline.change_dates``.
"""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from webapp.accounts.models import User
from webapp.courses.locks import lock
from webapp.courses.models import (
    Accommodation,
    Assignment,
    Enrolment,
    Extension,
    Role,
    Section,
    SectionDates,
    Team,
)
from webapp.courses.models.assignment import DUE_TOO_EARLY, HARD_END_TOO_EARLY
from webapp.courses.permissions import require_instructor, require_staff
from webapp.errors import Refused


@transaction.atomic
def extend_deadline(
    *, team: Team, by: User, due_at: datetime | None, reason: str, at: datetime | None = None
) -> Extension:
    """Give a team until ``due_at``; ``None`` takes an extension back. Kept for the record.

    Raises NotAllowed, ValidationError (no reason); Refused once the secret has been told, or for a
    time that gains nothing.
    """
    assignment = team.assignment
    _require_extensible(assignment, by, due_at)
    extension = Extension(assignment=assignment, team=team, due_at=due_at)
    _keep(extension, by, reason, at)
    team.extended_due_at = due_at
    team.save(update_fields=["extended_due_at"])
    return extension


@transaction.atomic
def extend_student(
    *,
    enrolment: Enrolment,
    assignment: Assignment,
    by: User,
    due_at: datetime | None,
    reason: str,
    at: datetime | None = None,
) -> Extension:
    """Give one student until ``due_at``, with a team or before; ``None`` takes it back.

    Raises what ``extend_deadline`` does; Refused for somebody who is no student of the course.
    """
    _require_extensible(assignment, by, due_at)
    if enrolment.course_id != assignment.course_id or enrolment.role != Role.STUDENT:
        raise Refused("Only students of this course have due dates.")
    extension = Extension(assignment=assignment, user=enrolment.user, due_at=due_at)
    _keep(extension, by, reason, at)
    return extension


def _require_extensible(assignment: Assignment, by: User, due_at: datetime | None) -> None:
    require_staff(by, assignment.course)
    lock(assignment)
    if due_at is not None and assignment.secret_revealed_at is not None:
        raise Refused("The secret has been told: nobody can be given more time now.")
    if due_at is not None and due_at <= assignment.due_at:
        raise Refused("An extension must end later than the assignment's own due date.")


@transaction.atomic
def accommodate(
    *, enrolment: Enrolment, by: User, time_percent: int, reason: str, at: datetime | None = None
) -> Accommodation:
    """Give a student this share of the usual time in every assignment; 100 takes it back.

    Raises NotAllowed, ValidationError (no reason, or out of range).
    """
    require_instructor(by, enrolment.course)
    row = Accommodation(enrolment=enrolment, time_percent=time_percent)
    _keep(row, by, reason, at)
    enrolment.time_percent = time_percent
    enrolment.save(update_fields=["time_percent"])
    return row


def _keep(row: Extension | Accommodation, by: User, reason: str, at: datetime | None) -> None:
    row.reason = reason.strip()
    row.granted_by = by
    row.granted_at = at or timezone.now()
    row.full_clean()
    row.save()


@transaction.atomic
def set_section_dates(
    *, assignment: Assignment, section: Section, by: User, **fields: Any
) -> SectionDates:
    """Give a section a due date and late policy of its own.

    Raises NotAllowed, ValidationError; Refused once the secret has been told.
    """
    _require_movable(assignment, section, by)
    dates = SectionDates.objects.filter(assignment=assignment, section=section).first()
    dates = dates or SectionDates(assignment=assignment, section=section)
    for name, value in fields.items():
        setattr(dates, name, value)
    _refuse_early(dates)
    dates.full_clean()
    dates.save()
    return dates


@transaction.atomic
def clear_section_dates(*, assignment: Assignment, section: Section, by: User) -> None:
    """Have the assignment's own dates hold for a section again."""
    _require_movable(assignment, section, by)
    SectionDates.objects.filter(assignment=assignment, section=section).delete()


def _require_movable(assignment: Assignment, section: Section, by: User) -> None:
    require_instructor(by, assignment.course)
    lock(assignment)
    if section.course_id != assignment.course_id:
        raise Refused("This section belongs to another course.")
    if assignment.secret_revealed_at is not None:
        raise Refused("The secret has been told: dates can't change any more.")


def _refuse_early(dates: SectionDates) -> None:
    if dates.due_at <= dates.assignment.opens_at:
        raise ValidationError({"due_at": DUE_TOO_EARLY})
    if dates.hard_end_at is not None and dates.hard_end_at < dates.due_at:
        raise ValidationError({"hard_end_at": HARD_END_TOO_EARLY})
