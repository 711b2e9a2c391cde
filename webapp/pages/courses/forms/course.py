"""Forms on courses, and on a student's own team. Services decide what is allowed."""

from typing import Any

from django import forms

from webapp.courses.models import Course
from webapp.courses.rights import ASSISTANT_RIGHTS, Right
from webapp.pages.courses.forms.fields import NOT_A_SLUG, as_choice
from webapp.pages.saved_values import SavedValuesForm
from webapp.timezones import offered_timezones


class CourseForm(SavedValuesForm, forms.ModelForm):  # type: ignore[type-arg]  # not at run time
    """A course as its instructor describes it. Never saved: the service is given its data."""

    timezone = forms.ChoiceField(
        label="Time zone",
        help_text="Due dates are entered and shown in this time zone.",
    )

    late_days = forms.IntegerField(
        label="Late days of each student",
        min_value=0,
        max_value=365,
        required=False,
        initial=0,
        help_text="For the whole course, where an assignment allows them. 0: none.",
    )

    drops_lowest = forms.IntegerField(
        label="Lowest results left out",
        min_value=0,
        max_value=100,
        required=False,
        initial=0,
        help_text="In each student’s total: those that lower it most. With weights 1 and 3, it may"
        " be 60% of weight 3 rather than 50% of weight 1. 0: all assignments count.",
    )

    assistant_rights = forms.MultipleChoiceField(
        label="Assistants may",
        required=False,
        choices=[(right.name_kept, right.label.capitalize()) for right in Right],
        initial=list(ASSISTANT_RIGHTS),
        widget=forms.CheckboxSelectMultiple,
        help_text="Assistants can always see all submissions, games and grades.",
    )

    class Meta:
        model = Course
        fields = (
            "title",
            "term",
            "slug",
            "timezone",
            "places",
            "late_days",
            "drops_lowest",
            "leaderboard_default",
            "show_names",
            "staff_keep_to_sections",
            "assistant_rights",
        )
        labels = {  # noqa: RUF012 - Django's own attribute
            "slug": "Short name in addresses",
            "leaderboard_default": "Leaderboards of new assignments",
            "show_names": "Show students' names beside aliases",
            "staff_keep_to_sections": "Assistants keep to their sections",
        }
        help_texts = {  # noqa: RUF012 - Django's own attribute
            "slug": "Lower-case letters, digits and hyphens: <code>ai-2026</code>.",
            "show_names": "To everybody enrolled. Otherwise students see aliases only.",
        }
        error_messages = {  # noqa: RUF012 - Django's own attribute
            "slug": {"invalid": NOT_A_SLUG, "unique": "Another course has this short name."},
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = self.instance.timezone  # even if out of use
        names = dict.fromkeys((*offered_timezones(), own))
        choices = [(name, name.replace("_", " ")) for name in names]
        as_choice(self.fields["timezone"]).choices = choices
        self.fields["timezone"].initial = own  # Django fills in no value of a new instance

    def clean_drops_lowest(self) -> int:
        """Take an empty field as none."""
        return self.cleaned_data["drops_lowest"] or 0

    def clean_late_days(self) -> int:
        """Take an empty field as none."""
        return self.cleaned_data["late_days"] or 0


class JoinForm(forms.Form):
    """An invite code, for a user who has an account already."""

    invite_code = forms.CharField(
        label="Invite code",
        max_length=40,
        error_messages={"required": "Enter the invite code first."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )


class JoinTeamForm(forms.Form):
    """A partner's code."""

    join_code = forms.CharField(
        label="Your partner's team code",
        max_length=20,
        error_messages={"required": "Enter your partner's code first."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )


class RenameTeamForm(forms.Form):
    """The team's name among its members and staff."""

    name = forms.CharField(label="Team name", max_length=80)
