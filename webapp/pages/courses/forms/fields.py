"""Builders of fields that several forms of this app share."""

from typing import Final

from django import forms

from webapp.pages.widgets import TextArea

NOT_A_SLUG: Final = "Use only letters, digits, hyphens and underscores."
STEERS: Final = {"data-steers": ""}
"""Attributes of an input whose change refreshes other fields."""
FOLLOW_GAME: Final = {
    "hx-post": "",
    "hx-vals": '{"refresh": "yes"}',
    "hx-swap": "none",
    "hx-sync": "closest form:replace",
    # What is typed while another game's fields are on their way would be lost.
    "hx-disabled-elt": "#by-game fieldset",
}
"""Attributes of the input that chooses the game: its change loads the fields of another game."""
_LOCAL: Final = "%Y-%m-%dT%H:%M"


def moment_field(label: str, help_text: str = "") -> forms.DateTimeField:
    """Return a field for date and time in the course's time zone, which the view activates."""
    widget = forms.DateTimeInput(format=_LOCAL, attrs={"type": "datetime-local"})
    return forms.DateTimeField(
        label=label, help_text=help_text, widget=widget, input_formats=[_LOCAL, "%Y-%m-%dT%H:%M:%S"]
    )


def points_field(
    label: str, initial: str, *, required: bool = True, help_text: str = ""
) -> forms.DecimalField:
    """Return a field for points, or for a mean of points."""
    return forms.DecimalField(
        label=label,
        initial=initial,
        required=required,
        help_text=help_text,
        min_value=0,
        max_digits=8,
        decimal_places=4,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def seconds_field(label: str, initial: float, help_text: str = "") -> forms.FloatField:
    """Return a field for a duration in seconds."""
    return forms.FloatField(
        label=label,
        initial=initial,
        min_value=0.05,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def count_field(
    label: str, initial: int, *, least: int = 1, help_text: str = ""
) -> forms.IntegerField:
    """Return a field for a whole number of ``least`` or more."""
    return forms.IntegerField(label=label, initial=initial, min_value=least, help_text=help_text)


def text_field(label: str, help_text: str, *, rows: int, css_class: str = "") -> forms.CharField:
    """Return a field for lines of text, which may stay empty."""
    widget = TextArea(attrs={"rows": rows} | ({"class": css_class} if css_class else {}))
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def as_choice(field: forms.Field) -> forms.ChoiceField:
    """Return the field as a ChoiceField, for the type checker. Raises TypeError if it is none."""
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{field!r} has no choices")
    return field
