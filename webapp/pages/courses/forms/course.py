"""Forms about courses. They read and show; what may be done is decided by services."""

from functools import cache
from importlib import resources
from typing import Any

from django import forms

from webapp.courses.models import Course, Role
from webapp.pages.courses.forms.fields import NOT_A_SLUG, as_choice


@cache
def zones() -> tuple[str, ...]:
    """UTC and every country's zones by their present names: those of the database's ``zone.tab``.

    Not ``zone1970.tab``, which has no Oslo since Oslo has kept Berlin's time.
    """
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    return ("UTC", *sorted(row[2] for row in rows))


class CourseForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A course as its instructor describes it. Never saved: the service is given its data."""

    timezone = forms.ChoiceField(
        label="Time zone",
        initial="UTC",
        help_text="Due dates are entered and shown in it.",
    )

    class Meta:
        model = Course
        fields = (
            "title",
            "term",
            "slug",
            "timezone",
            "places",
            "leaderboard_default",
            "show_names",
        )
        labels = {  # noqa: RUF012 - Django's own attribute
            "slug": "Short name in addresses",
            "leaderboard_default": "Leaderboards of new assignments",
            "show_names": "Show students' names beside aliases",
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
        names = dict.fromkeys((*zones(), self.instance.timezone))  # its own, even if out of use
        choices = [(name, name.replace("_", " ")) for name in names]
        as_choice(self.fields["timezone"]).choices = choices


class JoinForm(forms.Form):
    """An invite code, for somebody who has an account already."""

    invite_code = forms.CharField(
        label="Invite code",
        max_length=40,
        error_messages={"required": "Enter the invite code first."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "code"}),
    )


class SectionForm(forms.Form):
    """A part of the course."""

    name = forms.CharField(label="New section", max_length=60)


class RoleForm(forms.Form):
    """A person's role in the course."""

    role = forms.ChoiceField(label="Role", choices=Role.choices)
