"""The models of this app, one file a subject."""

from webapp.auditlog.kinds import name_values
from webapp.courses.models.assignment import Assignment, PlayWith
from webapp.courses.models.course import (
    Course,
    Enrolment,
    EnrolmentState,
    LeaderboardVisibility,
    Role,
    Section,
    in_one_of,
)
from webapp.courses.models.dates import Accommodation, Extension, SectionDates
from webapp.courses.models.release import GradeRelease
from webapp.courses.models.team import Membership, Team

__all__ = [
    "Accommodation",
    "Assignment",
    "Course",
    "Enrolment",
    "EnrolmentState",
    "Extension",
    "GradeRelease",
    "LeaderboardVisibility",
    "Membership",
    "PlayWith",
    "Role",
    "Section",
    "SectionDates",
    "Team",
    "in_one_of",
]

name_values(
    {
        column.name: str(column.verbose_name)
        for model in (Course, SectionDates, Assignment)
        for column in model._meta.concrete_fields
    }
)
