"""Builders of fields that several forms of this app share."""

from typing import Any, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import DateTimeField, DecimalField, FloatField, Model
from django.utils.text import capfirst

from webapp.pages.widgets import TextArea
from webapp.teaching.courses.models import Assignment

NOT_A_SLUG: Final = "Use only letters, digits, hyphens and underscores."
FOLLOW_GAME: Final = {
    "hx-post": "",
    "hx-vals": '{"refresh": "yes"}',
    "hx-swap": "none",
    "hx-sync": "closest form:replace",
    # What is typed while another game's fields are on their way would be lost, and the form sent by
    # then would lack them.
    "hx-disabled-elt": "#by-game fieldset, .questions > .actions .primary",
}
"""Attributes of the input that chooses the game: its change loads the fields of another game."""
_MOMENTS: Final = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")


def column(name: str, model: type[Model] = Assignment, **changes: Any) -> Any:
    """Return the field for a column: name, help text, default, bounds and choices are the model's.

    Moments are in the course's time zone, which the view activates.
    """
    stored: Any = model._meta.get_field(name)
    options: dict[str, Any] = {"show_hidden_initial": False}
    for validator in stored._validators:
        if isinstance(validator, MinValueValidator):
            options["min_value"] = validator.limit_value
        elif isinstance(validator, MaxValueValidator):
            options["max_value"] = validator.limit_value
    if isinstance(stored, DateTimeField):
        options |= {"widget": _moment_input(), "input_formats": _MOMENTS}
    elif isinstance(stored, DecimalField | FloatField):
        options["widget"] = forms.NumberInput(attrs={"step": "any"})
    return stored.formfield(**options | changes)


def words_of(name: str, model: type[Model] = Assignment) -> dict[str, Any]:
    """Return label and help text of a column whose field has a type of its own."""
    stored: Any = model._meta.get_field(name)
    return {"label": capfirst(stored.verbose_name), "help_text": stored.help_text}


def moment_field(label: str) -> forms.DateTimeField:
    """Return a field for date and time in the course's time zone, which the view activates."""
    return forms.DateTimeField(label=label, widget=_moment_input(), input_formats=_MOMENTS)


def _moment_input() -> forms.DateTimeInput:
    return forms.DateTimeInput(format=_MOMENTS[0], attrs={"type": "datetime-local"})


def text_field(label: str, help_text: str, *, rows: int, css_class: str = "") -> forms.CharField:
    """Return a field for lines of text, which may stay empty."""
    widget = TextArea(attrs={"rows": rows} | ({"class": css_class} if css_class else {}))
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def as_choice(field: forms.Field) -> forms.ChoiceField:
    """Return the field as a ChoiceField, for the type checker. Raises TypeError if it is none."""
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{field!r} has no choices")
    return field
