"""The models of this app, one file a subject."""

from webapp.courses.models.assignment import Assignment, PlayWith
from webapp.courses.models.course import Course, Enrolment, LeaderboardVisibility, Role, Section
from webapp.courses.models.team import Extension, Membership, Team

__all__ = [
    "Assignment",
    "Course",
    "Enrolment",
    "Extension",
    "LeaderboardVisibility",
    "Membership",
    "PlayWith",
    "Role",
    "Section",
    "Team",
]
