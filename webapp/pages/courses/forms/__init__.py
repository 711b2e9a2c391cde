"""The forms of this app, one file a subject."""

from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.course import CourseForm, JoinForm, RoleForm, SectionForm
from webapp.pages.courses.forms.dates import AccommodationForm, SectionDatesForm
from webapp.pages.courses.forms.team import ExtensionForm, JoinTeamForm, RenameTeamForm

__all__ = [
    "AccommodationForm",
    "AssignmentForm",
    "CourseForm",
    "ExtensionForm",
    "JoinForm",
    "JoinTeamForm",
    "RenameTeamForm",
    "RoleForm",
    "SectionDatesForm",
    "SectionForm",
]
