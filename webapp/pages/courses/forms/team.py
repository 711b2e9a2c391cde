"""Forms about one team."""

from django import forms

from webapp.pages.courses.forms.fields import moment_field
from webapp.pages.saved_values import SavedValuesForm


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
