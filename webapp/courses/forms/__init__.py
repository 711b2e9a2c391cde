"""The forms of this app, one file a subject."""

from webapp.courses.forms.assignment import AssignmentForm
from webapp.courses.forms.course import CourseForm, JoinForm, JoinTeamForm, RenameTeamForm, RoleForm

__all__ = [
    "AssignmentForm",
    "CourseForm",
    "JoinForm",
    "JoinTeamForm",
    "RenameTeamForm",
    "RoleForm",
]
