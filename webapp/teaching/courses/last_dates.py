"""The last moment at which an upload can count, of anybody."""

from datetime import datetime

from django.db.models import Q

from webapp.teaching.courses.deadlines import FULL_TIME_PERCENT
from webapp.teaching.courses.models import (
    Assignment,
    Enrolment,
    Extension,
    Role,
    SectionDates,
    Team,
    in_one_of,
)
from webapp.teaching.courses.resolution import resolve_assignment, resolve_users


def last_ends_at(assignment: Assignment) -> datetime:
    """Return the last moment at which an upload can count. At most ten queries.

    Only where there are late days, which uploads use up, must everybody be looked at.
    """
    if assignment.course.late_days:
        return resolve_assignment(assignment).last_ends_at
    extended = Team.objects.filter(assignment=assignment, extended_due_at__isnull=False)
    teams = extended.values_list("pk", flat=True)
    return resolve_users(assignment, _with_own_dates(assignment), teams).last_ends_at


def _with_own_dates(assignment: Assignment) -> list[int]:
    """Return the students who may have other dates than the usual."""
    sections = SectionDates.objects.filter(assignment=assignment).values("section")
    extended = Extension.objects.filter(assignment=assignment, user__isnull=False).values("user")
    own = (
        Q(time_percent__gt=FULL_TIME_PERCENT)
        | in_one_of(section__in=sections)
        | Q(user__in=extended)
    )
    students = Enrolment.objects.filter(own, course=assignment.course_id, role=Role.STUDENT)
    return list(students.values_list("user_id", flat=True))
