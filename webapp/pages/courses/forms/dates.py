"""Forms about dates: late policy, dates of a section, more time for a student or a team."""

from typing import Any, Final

from django import forms

from webapp.pages.courses.forms.fields import as_choice, column, moment_field
from webapp.pages.saved_values import SavedValuesForm
from webapp.teaching.courses.deadlines import FULL_TIME_PERCENT, MAX_TIME_PERCENT, DeadlineRule
from webapp.teaching.courses.models import Assignment, SectionDates
from webapp.teaching.courses.models.dates import DUE_TOO_EARLY, end_errors

POLICY_FIELDS: Final = (
    "grace_minutes",
    "max_late_days",
    "penalty_percent",
    "penalty_unit",
    "max_penalty_percent",
    "hard_end_at",
)


class LatePolicyForm(forms.Form):
    """The rules for uploads after the due date."""

    grace_minutes = column("grace_minutes")
    max_late_days = column("max_late_days")
    penalty_percent = column("penalty_percent")
    penalty_unit = column("penalty_unit")
    max_penalty_percent = column("max_penalty_percent")
    hard_end_at = column("hard_end_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in POLICY_FIELDS:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """Take empty fields as the defaults: no grace period, late days, penalty or maximum."""
        cleaned = super().clean() or self.cleaned_data
        for name in POLICY_FIELDS:
            if cleaned.get(name, 0) in (None, ""):
                stored: Any = Assignment._meta.get_field(name)
                cleaned[name] = stored.get_default()
        return cleaned

    def check_hard_end(self) -> None:
        """Complain about a hard end before the due date, or about none where one is needed."""
        names = ("due_at", "hard_end_at", "max_penalty_percent")
        if "hard_end_at" in self.cleaned_data:
            for name, text in end_errors(*map(self.cleaned_data.get, names)).items():
                self.add_error(name, text)


class AssignmentDatesForm(LatePolicyForm):
    """Dates and late policy of an assignment, and the upload that counts."""

    opens_at = column("opens_at")
    due_at = column("due_at")
    counts = column("counts", required=False, empty_value=DeadlineRule.LATEST.value)
    has_plain_days = column("has_plain_days")
    practice_after_due = column("practice_after_due")

    def fit_dates(self, assignment: Assignment | None) -> None:
        """Offer rules of earlier versions only where the assignment has them."""
        if assignment is None or not assignment.has_plain_days:
            del self.fields["has_plain_days"]
        if assignment is None or assignment.counts != DeadlineRule.BEST_MEAN:
            counts = as_choice(self.fields["counts"])
            known: Any = counts.choices
            counts.choices = [choice for choice in known if choice[0] != DeadlineRule.BEST_MEAN]


class SectionDatesForm(SavedValuesForm, LatePolicyForm):
    """Due date and late policy of one section. ``clear``: the assignment's own hold again."""

    due_at = column("due_at", SectionDates)
    field_order = ("due_at", *POLICY_FIELDS)

    def __init__(self, *args: Any, opens_at: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opens_at = opens_at

    def clean(self) -> dict[str, Any]:
        """Check the order of the dates."""
        cleaned = super().clean() or self.cleaned_data
        due = cleaned.get("due_at")
        if due is not None and due <= self._opens_at:
            self.add_error("due_at", DUE_TOO_EARLY)
        self.check_hard_end()
        return cleaned


class ExtensionForm(SavedValuesForm, forms.Form):
    """More time for a team, and why. ``withdraw``: only why."""

    due_at = moment_field("New due date")
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="Staff can see it, and the team in the download of its data.",
    )

    def __init__(self, *args: object, withdraw: bool = False, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["due_at"].required = not withdraw
        self.withdraw = withdraw

    def values(self) -> dict[str, Any]:
        """Return the arguments of a service; no due date takes the extension back."""
        due_at = None if self.withdraw else self.cleaned_data["due_at"]
        return {"due_at": due_at, "reason": self.cleaned_data["reason"]}


class AccommodationForm(SavedValuesForm, forms.Form):
    """A student's share of the usual time, and why."""

    time_percent = forms.IntegerField(
        label="Share of the usual time in %",
        min_value=FULL_TIME_PERCENT,
        max_value=MAX_TIME_PERCENT,
        help_text="Of the time from opening to due date. 150: half as much again; 100: as usual.",
    )
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="Staff can see it, and the student in the download of their data.",
    )
