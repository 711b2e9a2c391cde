"""Forms about the life of courses. They read; services decide."""

from collections.abc import Iterable
from typing import Any

from django import forms

from webapp.base.timezones import validate_date
from webapp.flow.lifecycle.models import MAX_DAYS
from webapp.flow.lifecycle.services.copying import Parts
from webapp.pages.saved_values import SavedValuesForm
from webapp.teaching.courses.models import Course

NOT_A_SLUG = "Use lower-case letters, digits and hyphens."
PARTS = {
    "sections": "Sections, with their dates",
    "late_policy": "Late policy and late days",
    "scheme": "Grading schemes",
    "board_lines": "House agents on the leaderboards",
}


class ReasonForm(forms.Form):
    """A reason that stays in the audit log."""

    reason = forms.CharField(label="Reason", required=False, max_length=200)


class PartsForm(forms.Form):
    """The start of the copy, and the parts that it takes over."""

    begins = forms.DateField(
        label="Term begins",
        validators=[validate_date],
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="All dates move by the same number of weeks; the first falls in this week."
        " Weekdays and times stay.",
    )
    parts = forms.MultipleChoiceField(
        label="Copy also",
        required=False,
        choices=list(PARTS.items()),
        initial=list(PARTS),
        widget=forms.CheckboxSelectMultiple,
    )

    def chosen(self) -> Parts:
        """Return the parts as a value. The form is valid."""
        chosen = set(self.cleaned_data["parts"])
        names = [*PARTS, *self.more_parts()]
        return Parts(**{name: name in chosen for name in names})

    def more_parts(self) -> Iterable[str]:
        """Return names of parts that only this form has."""
        return ()


class CopyCourseForm(PartsForm):
    """A course's copy. Its title and short name come first."""

    title = forms.CharField(max_length=120)
    term = forms.CharField(required=False, max_length=40, help_text="For instance: Spring 2027.")
    slug = forms.SlugField(
        label="Short name in addresses", error_messages={"invalid": NOT_A_SLUG}, max_length=50
    )
    field_order = ("title", "term", "slug", "begins", "parts")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parts = self.fields["parts"]
        if isinstance(parts, forms.MultipleChoiceField):
            parts.choices = [*PARTS.items(), ("announcements", "Announcements, without e-mails")]

    def more_parts(self) -> Iterable[str]:
        """Return the part of courses: announcements."""
        return ("announcements",)


class CopyAssignmentForm(PartsForm):
    """An assignment's copy, in one of the courses where the reader is an instructor."""

    to = forms.ModelChoiceField(label="Course", queryset=Course.objects.none(), empty_label=None)
    title = forms.CharField(max_length=120)
    slug = forms.SlugField(
        label="Short name in addresses", error_messages={"invalid": NOT_A_SLUG}, max_length=50
    )
    field_order = ("to", "title", "slug", "begins", "parts")

    def __init__(self, *args: Any, courses: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        to = self.fields["to"]
        if isinstance(to, forms.ModelChoiceField):
            to.queryset = courses


def _days(label: str, help_text: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, required=False, min_value=0, max_value=MAX_DAYS, help_text=help_text
    )


class RetentionForm(SavedValuesForm, forms.Form):
    """Days in the archive; an empty field keeps records forever."""

    sources_days = _days("Days until programs are deleted", "With the names of their files.")
    records_days = _days("Days until games are deleted", "Also their replays. Grades are kept.")
    prints_days = _days("Days until output of practice games is deleted", "")
    logs_days = _days("Days until logs are deleted", "Of builds and of faults.")


class DeleteForm(forms.Form):
    """The short name, typed again, and a reason."""

    slug = forms.CharField(label="Short name of the course", max_length=60)
    reason = forms.CharField(label="Reason", max_length=200)


class ImportForm(forms.Form):
    """A course file, and the short name that the course gets here."""

    file = forms.FileField(label="Course file")
    slug = forms.SlugField(
        label="Short name in addresses", error_messages={"invalid": NOT_A_SLUG}, max_length=50
    )


class FindPersonForm(forms.Form):
    """The e-mail address of the person to delete."""

    email = forms.EmailField(label="E-mail address")


class ForgetForm(forms.Form):
    """The address, typed again, and a reason that names nobody."""

    email = forms.EmailField(label="Their e-mail address again")
    reason = forms.CharField(
        label="Reason", max_length=200, help_text="Kept in the log: do not name the person."
    )
