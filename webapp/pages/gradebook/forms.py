"""Forms of the gradebook. They read and show values; services decide what is allowed."""

from decimal import Decimal
from typing import Any

from django import forms

from webapp.grading.gradebook.models import MAX_MANUAL, Outcome
from webapp.pages.saved_values import SavedValuesForm
from webapp.pages.widgets import TextArea


class PointsForm(SavedValuesForm, forms.Form):
    """Points and a comment by hand."""

    points = forms.DecimalField(
        label="Points",
        required=False,
        min_value=Decimal(-MAX_MANUAL),
        max_value=Decimal(MAX_MANUAL),
        max_digits=8,
        decimal_places=2,
        help_text="Empty: no points by hand; the points for games count.",
    )
    replaces = forms.TypedChoiceField(
        label="Effect",
        choices=[("", "add to the points for games"), ("yes", "replace the points for games")],
        required=False,
        coerce=bool,
        empty_value="",
    )
    comment = forms.CharField(
        label="Comment for the student",
        required=False,
        max_length=2000,
        widget=TextArea(attrs={"rows": 3}),
    )
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="The student sees it beside the points, and the audit log keeps it.",
    )
    with_partners = forms.BooleanField(label="Apply to the whole team", required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse points below zero in place of all others."""
        data = super().clean() or self.cleaned_data
        points, data["replaces"] = data.get("points"), bool(data.get("replaces"))
        if points is not None and points < 0 and data["replaces"]:
            self.add_error(
                "points", "Points cannot be below 0. To deduct points, add a negative number."
            )
        return data


class HoldForm(forms.Form):
    """The reason for hiding grades."""

    reason = forms.CharField(label="Reason", max_length=200, help_text="Kept in the audit log.")


class RegradeForm(forms.Form):
    """A student's request."""

    text = forms.CharField(
        label="What should staff check again, and why?",
        max_length=4000,
        widget=TextArea(attrs={"rows": 5}),
        help_text="Name games or lines of code where you can.",
    )


class AnswerForm(forms.Form):
    """The answer to a request."""

    outcome = forms.ChoiceField(
        label="Decision",
        choices=[
            (Outcome.KEPT.value, "Keep the points"),
            (Outcome.CHANGED.value, "Change the points to those below"),
            (Outcome.REPLAYED.value, "Play the graded games again"),
        ],
        widget=forms.RadioSelect,
    )
    points = forms.DecimalField(
        label="New points",
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(MAX_MANUAL),
        max_digits=8,
        decimal_places=2,
        help_text="Only if they change. They replace the points for games.",
    )
    answer = forms.CharField(
        label="Reason",
        max_length=4000,
        widget=TextArea(attrs={"rows": 4}),
        help_text="The student can read it, and gets an e-mail about it.",
    )

    def clean(self) -> dict[str, Any]:
        """Ask for points where they change."""
        data = super().clean() or self.cleaned_data
        changes = data.get("outcome") == Outcome.CHANGED
        if changes and data.get("points") is None and "points" not in self.errors:
            self.add_error("points", "Enter the new points, or choose “Keep the points”.")
        return data
