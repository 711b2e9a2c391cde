"""Forms about courses and teams. They read and show; what may be done is decided by services."""

from zoneinfo import available_timezones

from django import forms

from webapp.courses.models import Course, Role

ZONES = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")


class CourseForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A course as its instructor describes it. Never saved: the service is given its data."""

    timezone = forms.ChoiceField(
        label="Time zone",
        choices=[(zone, zone.replace("_", " ")) for zone in ZONES],
        initial="UTC",
        help_text="Due dates are entered and shown in it.",
    )

    class Meta:
        model = Course
        fields = ("title", "term", "slug", "timezone", "leaderboard_default", "show_names")
        labels = {  # noqa: RUF012 - Django's own attribute
            "slug": "Short name in addresses",
            "leaderboard_default": "Leaderboards of new assignments",
            "show_names": "Show students' names beside aliases",
        }
        help_texts = {  # noqa: RUF012 - Django's own attribute
            "slug": "Lower-case letters, digits and hyphens: <code>ai-2026</code>.",
            "show_names": "To everybody enrolled. Otherwise students see aliases only.",
        }


class JoinForm(forms.Form):
    """An invite code, for somebody who has an account already."""

    invite_code = forms.CharField(
        label="Invite code",
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )


class JoinTeamForm(forms.Form):
    """A partner's code."""

    join_code = forms.CharField(
        label="Your partner's team code",
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )


class RenameTeamForm(forms.Form):
    """What the team is called among its members and staff."""

    name = forms.CharField(label="Team name", max_length=80)


class RoleForm(forms.Form):
    """What somebody is in the course."""

    role = forms.ChoiceField(label="Role", choices=Role.choices)
