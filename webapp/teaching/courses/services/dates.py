"""Give more time to a team, a student or a section; each decision is kept with its author, time and
reason.

Existing points are recomputed for the new lateness: ``pipeline.change_dates``.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import changed_values, record
from webapp.teaching.courses.locks import lock, lock_course
from webapp.teaching.courses.models import (
    Accommodation,
    Assignment,
    Enrolment,
    Extension,
    Role,
    Section,
    SectionDates,
    Team,
)
from webapp.teaching.courses.models.dates import DUE_TOO_EARLY, end_errors
from webapp.teaching.courses.permissions import (
    require_instructor,
    require_right,
    require_right_for,
    require_unarchived,
)
from webapp.teaching.courses.rights import Right


@transaction.atomic
def extend_deadline(
    *, team: Team, by: User, due_at: datetime | None, reason: str, at: datetime | None = None
) -> Extension:
    """Extend a team's deadline to ``due_at``; ``None`` withdraws it. Earlier extensions are kept.

    Raises NotAllowed, ValidationError (no reason); Refused once the secret is revealed, or for a
    time that gains nothing.
    """
    assignment = team.assignment
    require_right_for(by, team, Right.EXTEND)
    members = team.memberships.values_list("user_id", flat=True)
    _require_extensible(assignment, due_at, members, whose=str(team))
    extension = Extension(assignment=assignment, team=team, due_at=due_at)
    _keep(extension, by, reason, at)
    before, team.extended_due_at = team.extended_due_at, due_at
    team.save(update_fields=["extended_due_at"])
    _record(extension, before)
    return extension


@transaction.atomic
def extend_all(
    *,
    assignment: Assignment,
    teams: Sequence[Team],
    students: Sequence[Enrolment] = (),
    by: User,
    due_at: datetime,
    reason: str,
    at: datetime | None = None,
) -> list[Extension]:
    """Extend the deadlines of all these teams and students, or of none.

    Raises what ``extend_deadline`` and ``extend_student`` do.
    """
    require_unarchived(assignment.course)
    if any(team.assignment_id != assignment.pk for team in teams):
        raise Refused("Some of these teams are not in this assignment.")
    now = at or timezone.now()
    given = [
        extend_deadline(team=team, by=by, due_at=due_at, reason=reason, at=now) for team in teams
    ]
    given += [
        extend_student(
            enrolment=one, assignment=assignment, by=by, due_at=due_at, reason=reason, at=now
        )
        for one in students
    ]
    return given


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
    """Extend one student's deadline, with a team or before; ``None`` withdraws it.

    Raises what ``extend_deadline`` does; Refused for a person who is not a student of the course.
    """
    people = [enrolment.user_id]
    require_right(by, assignment.course, Right.EXTEND, people=people)
    _require_extensible(assignment, due_at, people, whose=str(enrolment.user))
    if enrolment.course_id != assignment.course_id or enrolment.role != Role.STUDENT:
        raise Refused("Only students of this course have due dates.")
    extension = Extension(assignment=assignment, user=enrolment.user, due_at=due_at)
    given = Extension.objects.filter(assignment=assignment, user=enrolment.user)
    earlier = given.order_by("pk").last()
    _keep(extension, by, reason, at)
    _record(extension, None if earlier is None else earlier.due_at)
    return extension


def _record(extension: Extension, before: datetime | None) -> None:
    record(
        ActKind.EXTENSION_GIVEN,
        by=extension.granted_by,
        person=extension.user,
        team=extension.team,
        thing=extension.assignment,
        before={"extended to": before},
        after={"extended to": extension.due_at},
        reason=extension.reason,
        at=extension.granted_at,
    )


def _require_extensible(
    assignment: Assignment, due_at: datetime | None, people: Iterable[int], *, whose: str
) -> None:
    lock(assignment)
    if due_at is not None and assignment.secret_revealed_at is not None:
        raise Refused("The secret has been revealed: nobody can be given more time now.")
    if due_at is not None and due_at <= _usual_due_at(assignment, people):
        raise Refused(f"An extension must end later than the usual due date of {whose}.")


def _usual_due_at(assignment: Assignment, people: Iterable[int]) -> datetime:
    """Return the last due date of these students: their sections' or the assignment's own."""
    places = Enrolment.objects.filter(course=assignment.course, user__in=list(people))
    students = places.filter(role=Role.STUDENT).values_list("section_id", "more_sections")
    own = dict(assignment.section_dates.values_list("section_id", "due_at"))
    usual = assignment.due_at
    sections = {first if more is None else more for first, more in students}
    sections |= {first for first, _ in students}
    return max((own.get(section, usual) for section in sections), default=usual)


@transaction.atomic
def accommodate(
    *, enrolment: Enrolment, by: User, time_percent: int, reason: str, at: datetime | None = None
) -> Accommodation:
    """Give a student this share of the usual time in every assignment; 100 withdraws it.

    Raises NotAllowed, ValidationError (no reason, or out of range).
    """
    require_instructor(by, enrolment.course)
    lock_course(enrolment.course)  # before the place, as everybody does who changes one
    enrolment.refresh_from_db(fields=["time_percent"])
    row = Accommodation(enrolment=enrolment, time_percent=time_percent)
    _keep(row, by, reason, at)
    before, enrolment.time_percent = enrolment.time_percent, time_percent
    enrolment.save(update_fields=["time_percent"])
    record(
        ActKind.TIME_CHANGED,
        by=by,
        course=enrolment.course,
        person=enrolment.user,
        before={"percent of the usual time": before},
        after={"percent of the usual time": time_percent},
        reason=row.reason,
        at=row.granted_at,
    )
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

    Raises NotAllowed, ValidationError; Refused once the secret is revealed.
    """
    _require_movable(assignment, section, by)
    dates = SectionDates.objects.filter(assignment=assignment, section=section).first()
    dates = dates or SectionDates(assignment=assignment, section=section)
    changed = changed_values(dates, fields)
    for name, value in fields.items():
        setattr(dates, name, value)
    _refuse_early(dates)
    dates.full_clean()
    dates.save()
    if changed["after"]:
        _record_dates(assignment, section, by, **changed)
    return dates


@transaction.atomic
def clear_section_dates(*, assignment: Assignment, section: Section, by: User) -> None:
    """Apply the assignment's own dates to a section again."""
    _require_movable(assignment, section, by)
    dates = SectionDates.objects.filter(assignment=assignment, section=section).first()
    if dates is not None:
        dates.delete()
        before: dict[str, object] = {"due_at": dates.due_at}
        _record_dates(assignment, section, by, before=before, after={"due_at": None})


def _record_dates(
    assignment: Assignment, section: Section, by: User, **changed: dict[str, object]
) -> None:
    record(
        ActKind.SECTION_DATES_CHANGED,
        by=by,
        course=assignment.course,
        thing=f"{assignment}, {section}",
        **changed,
    )


def _require_movable(assignment: Assignment, section: Section, by: User) -> None:
    require_instructor(by, assignment.course)
    lock(assignment)
    if section.course_id != assignment.course_id:
        raise Refused("This section belongs to another course.")
    if assignment.secret_revealed_at is not None:
        raise Refused("The secret has been revealed: dates can no longer change.")


def _refuse_early(dates: SectionDates) -> None:
    if dates.due_at <= dates.assignment.opens_at:
        raise ValidationError({"due_at": DUE_TOO_EARLY})
    if errors := end_errors(dates.due_at, dates.hard_end_at, dates.max_penalty_percent):
        raise ValidationError(errors)
