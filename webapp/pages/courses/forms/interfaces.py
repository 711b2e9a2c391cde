"""The part of an assignment's form that chooses languages and interfaces."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.games import Game
from grader.core.records import Mode
from grader.interfaces import INTERFACES, Interface, unfit
from webapp.interfaces import DEFAULT, OPTIONS, choices, interfaces_for, short_title
from webapp.pages.courses.forms.fields import as_choice

INTERFACE_FIELDS: Final = ("interfaces", "interface_options", "mode", "checks_student_number")


class InterfaceFields(forms.Form):
    """The fields of interfaces. The assignment's form checks them against each other."""

    interfaces = forms.MultipleChoiceField(
        label="Languages and interfaces",
        choices=choices,
        initial=[DEFAULT],
        widget=forms.CheckboxSelectMultiple,
        help_text="Students upload agents for one of these. If there are several, the site"
        " recognises from the sources which one an agent is for.",
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
    )
    checks_student_number = forms.BooleanField(
        label="Files are named with the student number",
        required=False,
        help_text="A file such as <code>Agent12345678.java</code> must have the student number of"
        " the student who uploads it. The numbers are on the page of people.",
    )

    def fit_interfaces(self, game: Game) -> None:
        """Offer the interfaces of this game, and say which of them need other rules."""
        names = [name for name, _ in interfaces_for(game.name)]
        as_choice(self.fields["interfaces"]).choices = [_choice(name, game) for name in names]
        having = {
            name: [interface for interface in interfaces if interface.name in names]
            for name, interfaces in OPTIONS.items()
        }
        options = [_option(name, interfaces) for name, interfaces in having.items() if interfaces]
        if options:
            as_choice(self.fields["interface_options"]).choices = options
        else:
            del self.fields["interface_options"]
        if game.competitive:
            del self.fields["mode"]
        else:
            self.fields["mode"].help_text = _team_help(_fitting(names, game))


def fit_notes(game: Game) -> dict[str, str]:
    """Return the notes beside a game's interfaces, by element id; empty for interfaces that fit."""
    return {_note_id(name): _needs(INTERFACES[name], game) for name, _ in interfaces_for(game.name)}


def _note_id(name: str) -> str:
    return f"id_needs_{name}"


def _choice(name: str, game: Game) -> tuple[str, SafeString]:
    interface = INTERFACES[name]
    label = format_html(
        '<span>{} <span class="needs" id="{}">{}</span></span>',
        interface.title,
        _note_id(name),
        _needs(interface, game),
    )
    return name, label


def _needs(interface: Interface, game: Game) -> str:
    """Say which rules an interface needs; nothing if its agents can play by these."""
    if not unfit(interface, game):
        return ""
    needs = []
    if interface.rules.variant:
        same = interface.rules.variant == game.options["variant"]
        needs.append(f"the variant {interface.rules.variant}{' unchanged' if same else ''}")
    if interface.rules.players:
        needs.append(f"{' or '.join(map(str, interface.rules.players))} players")
    return f"needs {' and '.join(needs)}"


def _option(name: str, interfaces: Sequence[Interface]) -> tuple[str, SafeString]:
    meaning = interfaces[0].options[name]
    titles = "; ".join(short_title(interface.name) for interface in interfaces)
    return name, format_html("<span>{}: <code>{}</code>. {}</span>", titles, name, meaning)


def _fitting(names: Iterable[str], game: Game) -> list[Interface]:
    return [INTERFACES[name] for name in names if not unfit(INTERFACES[name], game)]


def _team_help(interfaces: Collection[Interface]) -> str:
    """Say which of these interfaces can be, or usually are, played by one process for all seats."""
    able = [short_title(interface.name) for interface in interfaces if Mode.TEAM in interface.modes]
    usual = [
        short_title(interface.name) for interface in interfaces if interface.modes[0] is Mode.TEAM
    ]
    if not able:
        return "No interface for these rules can play all seats in one process."
    if able == usual:
        words = f"One process for all seats is usual with {', '.join(usual)}"
    else:
        words = f"One process for all seats is possible with {', '.join(able)}"
        words += f", and usual with {', '.join(usual)}" if usual else ""
    return f"{words}: such agents may share memory between seats, not hidden cards."
