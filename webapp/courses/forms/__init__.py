"""The forms of this app, one file a subject."""

from webapp.courses.forms.assignment import AssignmentForm
from webapp.courses.forms.course import CourseForm, JoinForm, RoleForm, SectionForm
from webapp.courses.forms.team import ExtensionForm, JoinTeamForm, RenameTeamForm

__all__ = [
    "AssignmentForm",
    "CourseForm",
    "ExtensionForm",
    "JoinForm",
    "JoinTeamForm",
    "RenameTeamForm",
    "RoleForm",
    "SectionForm",
]
