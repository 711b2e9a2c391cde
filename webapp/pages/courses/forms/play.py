"""The part of an assignment's form on agents and their games."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.games import Game
from grader.core.records import AgentLimits, Mode
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES, Interface, unfit
from webapp.base.interfaces import DEFAULT, OPTIONS, choices, interfaces_for, short_title
from webapp.pages.courses.forms.fields import as_choice, column, words_of

INTERFACE_FIELDS: Final = ("interfaces", "interface_options", "mode", "checks_student_number")
LIMIT_FIELDS: Final = ("turn_seconds", "turn_wall_seconds", "start_seconds", "memory_mib")


def _seconds_field(limit: str, label: str, help_text: str) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        initial=getattr(AgentLimits(), limit),
        min_value=0.05,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


class PlayFields(forms.Form):
    """Fields on agents and their games: interfaces, limits, opponents, numbers of games.

    The assignment's form checks them against the rules.
    """

    rules: type[Game]

    interfaces = forms.MultipleChoiceField(
        **words_of("interfaces"),
        choices=choices,
        initial=[DEFAULT],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )
    interface_options = forms.MultipleChoiceField(
        **words_of("interface_options"), required=False, widget=forms.CheckboxSelectMultiple
    )
    mode = forms.ChoiceField(
        **words_of("mode"),
        choices=[
            ("", "as each interface prefers"),
            (Mode.SEAT, "one for each seat"),
            (Mode.TEAM, "one for all seats"),
        ],
        required=False,
    )
    checks_student_number = column("checks_student_number")

    turn_seconds = _seconds_field("turn_seconds", "Seconds per turn", "Computing time.")
    turn_wall_seconds = _seconds_field(
        "turn_wall_seconds", "Wall-clock seconds per turn", "Ends programs that sleep."
    )
    start_seconds = _seconds_field("start_seconds", "Seconds to start", "Once per game.")
    memory_mib = forms.IntegerField(
        label="Memory in MiB", initial=AgentLimits().memory_mib, min_value=1
    )

    n_games = column("n_games")
    practice_games = column("practice_games")
    practice_half_width = column("practice_half_width", min_value=0)
    smoke_games = column("smoke_games")
    max_consecutive_faults = column("max_consecutive_faults")
    audited_games = column("audited_games")

    def fit_play(self, game: Game) -> None:
        """Offer the interfaces and opponents of this game."""
        self._fit_interfaces(game)
        if not game.competitive:
            return
        self.fields["opponents"] = forms.MultipleChoiceField(
            label="Opponents",
            choices=[(name, _words(name)) for name in house_agents(self.rules)],
            widget=forms.CheckboxSelectMultiple,
            help_text="House agents, weakest first. An agent plays the same number of games against"
            " each, with copies of the house agent in all other seats.",
            error_messages={"required": "Choose at least one."},
        )
        rounds = f"Against each opponent, in full rounds of {game.seats} games."
        self.fields["n_games"].help_text = rounds
        del self.fields["practice_half_width"]

    def _fit_interfaces(self, game: Game) -> None:
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
        needs.append(
            f"{type(game).variant_title(interface.rules.variant)}{' unchanged' if same else ''}"
        )
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


def house_agents(game: type[Game]) -> list[str]:
    """Return the names of a game's house agents, weakest first."""
    return [name for name, agent in AGENTS.items() if agent.plays(game)]


def _words(name: str) -> str:
    agent = AGENTS[name]
    slow = f" (slow: about {agent.ms_per_game / 1000:.0f} s a game)"
    return f"{agent.introduction}{'' if agent.is_quick else slow}"
