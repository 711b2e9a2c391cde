"""Forms about dates: late policy, dates of a section, more time for a student or a team."""

from decimal import Decimal
from typing import Any, Final

from django import forms

from webapp.courses.deadlines import FULL_TIME_PERCENT, MAX_TIME_PERCENT, Rule
from webapp.courses.late_policy import WHOLE, PenaltyUnit
from webapp.courses.models import Assignment
from webapp.courses.models.dates import DUE_TOO_EARLY, end_errors
from webapp.pages.courses.forms.fields import as_choice, count_field, moment_field
from webapp.pages.saved_values import SavedValuesForm

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

    grace_minutes = count_field(
        "Grace period in minutes", 0, least=0, help_text="Uploads up to this late count as on time."
    )
    max_late_days = count_field(
        "Late days that may be used",
        0,
        least=0,
        help_text="Of each student’s late days in the course. They are used automatically.",
    )
    penalty_percent = forms.DecimalField(
        label="Penalty for lateness in %",
        initial=0,
        min_value=0,
        max_value=100,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Of the points, for each started day or hour. 0: later uploads do not count.",
    )
    penalty_unit = forms.ChoiceField(
        label="Penalty for each",
        choices=[(unit.value, unit.value) for unit in PenaltyUnit],
        initial=PenaltyUnit.DAY.value,
    )
    max_penalty_percent = forms.DecimalField(
        label="Maximum penalty in %",
        initial=100,
        min_value=0,
        max_value=100,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Below 100, late uploads count until the hard end, which must be given.",
    )
    hard_end_at = moment_field(
        "Hard end", "Nothing later counts. Empty: until the penalty has taken all points."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in POLICY_FIELDS:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """Take empty fields as no grace period, no late days, no penalty and no maximum."""
        cleaned = super().clean() or self.cleaned_data
        defaults = {
            "grace_minutes": 0,
            "max_late_days": 0,
            "penalty_percent": Decimal(0),
            "penalty_unit": PenaltyUnit.DAY.value,
        }
        for name, default in defaults.items():
            if name in cleaned:
                cleaned[name] = cleaned[name] or default
        if cleaned.get("max_penalty_percent", 0) is None:  # 0 is a maximum
            cleaned["max_penalty_percent"] = WHOLE
        return cleaned

    def check_hard_end(self) -> None:
        """Complain about a hard end before the due date, or about none where one is needed."""
        names = ("due_at", "hard_end_at", "max_penalty_percent")
        if "hard_end_at" in self.cleaned_data:
            for name, text in end_errors(*map(self.cleaned_data.get, names)).items():
                self.add_error(name, text)


class AssignmentDatesForm(LatePolicyForm):
    """Dates and late policy of an assignment, and the upload that counts."""

    opens_at = moment_field("Opens", "Students see the assignment from this time.")
    due_at = moment_field("Due", "Sections and students may have their own dates.")
    counts = forms.TypedChoiceField(
        label="Upload that counts",
        choices=Assignment._meta.get_field("counts").choices or [],
        required=False,
        empty_value=Rule.LATEST.value,
    )
    has_plain_days = forms.BooleanField(
        label="Keep the earlier rules for late days and extra time",
        required=False,
        help_text="A late day has 24 hours also if clocks change, and extra time leaves the hard"
        " end. Otherwise a late day ends at the same time of the clock, and the hard end moves with"
        " the due date. Points change at once for uploads whose lateness changes.",
    )

    def fit_dates(self, assignment: Assignment | None) -> None:
        """Offer rules of earlier versions only where the assignment has them."""
        if assignment is None or not assignment.has_plain_days:
            del self.fields["has_plain_days"]
        if assignment is None or assignment.counts != Rule.BEST_MEAN:
            counts = as_choice(self.fields["counts"])
            known: Any = counts.choices
            counts.choices = [choice for choice in known if choice[0] != Rule.BEST_MEAN]


class SectionDatesForm(SavedValuesForm, LatePolicyForm):
    """Due date and late policy of one section. ``clear``: the assignment's own hold again."""

    due_at = moment_field("Due")
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
