"""The people whose work staff look at: students of a course, by words, section and uploads."""

from collections.abc import Collection
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    EnrolmentState,
    Membership,
    Role,
    Team,
    in_one_of,
)
from webapp.teaching.courses.people import NO_SECTION, mentions

_LONGEST_KEY: Final = 18
"""Digits that every database takes for a key."""


def students_like(course: Course, words: str = "") -> QuerySet[Enrolment]:
    """Return the course's students by name, filtered by words in name, address or number."""
    students = Enrolment.objects.graded().filter(course=course).with_sections()
    if words:
        students = students.filter(mentions(words) | in_one_of(section__name__icontains=words))
    return students.order_by("user__display_name", "pk")


def with_upload(assignments: Collection[Assignment]) -> QuerySet[Membership]:
    """Return the members of teams that have uploaded something, accepted or not."""
    uploads = Submission.objects.filter(team=OuterRef("team"))
    return Membership.objects.filter(Exists(uploads), assignment__in=assignments)


def without_upload(assignment: Assignment, students: QuerySet[Enrolment]) -> QuerySet[Enrolment]:
    """Return the active students among these whose team, if any, uploaded nothing."""
    uploaders = with_upload([assignment]).filter(user=OuterRef("user"))
    return students.filter(~Exists(uploaders), state=EnrolmentState.ACTIVE)


def teams_like(assignment: Assignment, words: str, section: str) -> QuerySet[Team]:
    teams = assignment.teams.all()
    if words:
        members = Membership.objects.filter(_is_like(words), team=OuterRef("pk"))
        own = Q(name__icontains=words) | Q(alias__icontains=words)
        teams = teams.filter(own | Exists(members))
    if section:
        here = assignment.course.enrolments.filter(user__memberships__team=OuterRef("pk"))
        teams = teams.filter(Exists(_in_section(here, section)))
    return teams


def students_without_team(
    assignment: Assignment, words: str = "", section: str = ""
) -> QuerySet[Enrolment]:
    in_team = Membership.objects.filter(assignment=assignment, user=OuterRef("user"))
    students = assignment.course.enrolments.active().filter(~Exists(in_team), role=Role.STUDENT)
    if words:
        students = students.filter(_is_like(words))
    return _in_section(students, section) if section else students


def _is_like(words: str) -> Q:
    return Q(user__display_name__icontains=words) | Q(user__email__icontains=words)


def _in_section(enrolments: QuerySet[Enrolment], section: str) -> QuerySet[Enrolment]:
    if section == NO_SECTION:
        return enrolments.filter(section__isnull=True)
    is_key = section.isdecimal() and len(section) <= _LONGEST_KEY
    return enrolments.filter(in_one_of(section=section)) if is_key else enrolments.none()
