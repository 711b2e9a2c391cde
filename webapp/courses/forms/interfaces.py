"""The part of an assignment's form that says what agents are written in."""

from collections.abc import Collection
from typing import Final

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.interfaces import INTERFACES
from grader.records import Mode
from webapp.interfaces import DEFAULT, OPTIONS, choices, short_title

__all__ = ["INTERFACE_FIELDS", "InterfaceFields", "option_choices"]

INTERFACE_FIELDS: Final = ("interfaces", "interface_options", "mode", "checks_student_number")


def option_choices(interfaces: Collection[str]) -> list[tuple[str, SafeString]]:
    """Options of these interfaces, for a form."""
    return [
        (
            name,
            format_html(
                "<span>{}: <code>{}</code>. {}</span>", short_title(each.name), name, meaning
            ),
        )
        for name, each in OPTIONS.items()
        if each.name in interfaces
        for meaning in (each.options[name],)
    ]


def _teams() -> str:
    """Which interfaces can be played, or are usually, by one process for all seats."""
    able = [short_title(each.name) for each in INTERFACES.values() if Mode.TEAM in each.modes]
    usual = [short_title(each.name) for each in INTERFACES.values() if each.modes[0] is Mode.TEAM]
    return (
        f"One process for all seats is possible with {', '.join(able)}, and usual with"
        f" {', '.join(usual)}: its agents may share memory between seats, not cards."
    )


class InterfaceFields(forms.Form):
    """The fields; what they must be like together is checked by the assignment's form."""

    interfaces = forms.MultipleChoiceField(
        label="Languages and interfaces",
        choices=choices,
        initial=[DEFAULT],
        widget=forms.CheckboxSelectMultiple,
        help_text="What students upload has to be for one of these. If there are several, which one"
        " is found out from the sources.",
        error_messages={"required": "Choose at least one."},
    )
    interface_options = forms.MultipleChoiceField(
        label="Options of an interface",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    mode = forms.ChoiceField(
        label="Processes",
        choices=[
            ("", "as each interface prefers"),
            (Mode.SEAT, "one for each seat"),
            (Mode.TEAM, "one for all seats"),
        ],
        required=False,
        help_text=_teams(),
    )
    checks_student_number = forms.BooleanField(
        label="Files are named with the student number",
        required=False,
        help_text="A file called like <code>Agent12345678.java</code> must have the number of the"
        " student who uploads it, as it is on the page of people.",
    )
