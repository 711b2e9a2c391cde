"""Forms on courses, and on a student's own team. Services decide what is allowed."""

from typing import Any

from django import forms

from webapp.base.timezones import offered_timezones
from webapp.pages.courses.forms.fields import NOT_A_SLUG, as_choice, column, words_of
from webapp.pages.saved_values import SavedValuesForm
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.rights import ASSISTANT_RIGHTS, Right


class CourseForm(SavedValuesForm, forms.ModelForm):  # type: ignore[type-arg]  # not at run time
    """A course as its instructor describes it. Never saved: the service is given its data."""

    timezone = forms.ChoiceField(**words_of("timezone", Course))
    late_days = column("late_days", Course, required=False)
    drops_lowest = column("drops_lowest", Course, required=False)
    assistant_rights = forms.MultipleChoiceField(
        **words_of("assistant_rights", Course),
        required=False,
        choices=[(right.name_kept, right.label.capitalize()) for right in Right],
        initial=list(ASSISTANT_RIGHTS),
        widget=forms.CheckboxSelectMultiple,
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
        error_messages = {"slug": {"invalid": NOT_A_SLUG}}  # noqa: RUF012 - Django's own attribute

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = self.instance.timezone  # even if out of use
        names = dict.fromkeys((*offered_timezones(), own))
        choices = [(name, name.replace("_", " ")) for name in names]
        as_choice(self.fields["timezone"]).choices = choices
        self.fields["timezone"].initial = own  # Django fills in no value of a new instance

    def clean(self) -> dict[str, Any]:
        """Take an empty number of days or results as none."""
        cleaned = super().clean()
        for name in ("late_days", "drops_lowest"):
            if name in cleaned:
                cleaned[name] = cleaned[name] or 0
        return cleaned


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
