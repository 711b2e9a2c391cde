"""The part of an assignment's form on its rules: variant, players, single options of the game."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html

from grader.core.games import GAMES, Game, player_counts, valid_rules
from grader.core.games.base import OptionField, OptionKind
from grader.core.words import either
from webapp.pages.courses.forms.fields import as_choice
from webapp.pages.widgets import STEERS
from webapp.teaching.courses.models import Course, GameFolder, PlayWith

_NO_SUCH_VARIANT: Final = "This game has no such variant. Choose one of the list."
AS_VARIANT: Final = ("", "as in the variant")
NEEDS_RULES: Final = {"play_with": PlayWith.NOBODY.value, "audited_games": 0}
"""Fields that need the rules on the site, and their values where it has only a game's facts."""
YES_NO: Final = (AS_VARIANT, ("yes", "yes"), ("no", "no"))


class RulesFields(forms.Form):
    """The fields of the rules. Call ``fit_rules`` once ``rules`` is set."""

    rules: type[Game]
    shown: Game
    """The rules that the form shows, without the options that are not valid."""
    option_names: dict[str, OptionField]
    """The fields of single options, with their purposes."""

    variant = forms.ChoiceField(
        label="Variant",
        widget=forms.Select(attrs=STEERS),
        help_text="The guide’s table of variants lists the options of each.",
        error_messages={"invalid_choice": _NO_SUCH_VARIANT},
    )
    players = forms.TypedChoiceField(label="Players", coerce=int, widget=forms.Select(attrs=STEERS))

    def fit_rules(self) -> None:
        """Offer the variants, numbers of players and options of the game, with hints."""
        self.option_names = option_names(self.rules)
        self.fields |= {name: option_field(option) for name, option in self.option_names.items()}
        as_choice(self.fields["variant"]).choices = [
            (variant, self.rules.variant_title(variant)) for variant in self.rules.variants()
        ]
        self._variant = self._valid("variant") or next(iter(self.rules.variants()))
        self._counts = player_counts(self.rules, self._variant)
        self._fit_players()
        options = {name: self._valid(name) for name in self.option_names}
        chosen = {"variant": self._variant, "players": self._valid("players") or self._counts[0]}
        self.shown = valid_rules(self.rules, {**chosen, **chosen_options(self.rules, options)})
        self._explain_options()

    def fit_uploaded(self, course: Course) -> None:
        """Offer the games that the course uploaded; leave out what these cannot have."""
        if self.rules.folder:
            for name in NEEDS_RULES:
                del self.fields[name]
        if "game" in self.fields:
            own = course.game_folders.filter(status=GameFolder.Status.PASSED)
            as_choice(self.fields["game"]).choices = [
                *((name, game.title) for name, game in GAMES.items()),
                *((one.name, f"{one.title} (uploaded, {one.sha256[:8]})") for one in own),
            ]

    def _fit_players(self) -> None:
        field = as_choice(self.fields["players"])
        field.choices = [(count, str(count)) for count in self._counts]
        field.error_messages["invalid_choice"] = self._wrong_players()
        posted = self._valid_count()
        if posted is not None and posted not in self._counts:
            # A refused number stays selected, so that the variant can be changed instead.
            field.choices = [
                *field.choices,
                (posted, f"{posted} – not with {self.rules.variant_title(self._variant)}"),
            ]

    def _valid_count(self) -> int | None:
        """Return the posted number of players if any variant of this game allows it."""
        known = {n for variant in self.rules.variants() for n in player_counts(self.rules, variant)}
        posted = self.data.get("players", "")
        return next((count for count in sorted(known) if str(count) == posted), None)

    def _wrong_players(self) -> str:
        counts = either(self._counts)
        return (
            f"{self.rules.variant_title(self._variant)} are for {counts} players."
            f" Choose {counts} players, or another variant."
        )

    def _explain_options(self) -> None:
        plain = self.rules.from_options({"variant": self._variant, "players": self.shown.seats})
        for name, option in self.option_names.items():
            self.fields[name].help_text = format_html(
                "{}: <code>{}</code>",
                self.rules.variant_title(self._variant),
                shown_value(plain.options[option.name]),
            )

    def _valid(self, name: str) -> Any:
        """Return a field's value as the page shows it; ``None`` if it is not valid."""
        field = self.fields[name]
        try:
            return field.clean(self._given(name, field))
        except ValidationError:
            return None

    def _given(self, name: str, field: forms.Field) -> Any:
        if self.is_bound:
            return field.widget.value_from_datadict(self.data, self.files, name)
        return self.get_initial_for_field(field, name)

    def option_fields(self) -> list[forms.BoundField]:
        """Return the fields that override single options of the variant."""
        return [self[name] for name in self.option_names]

    def has_overrides(self) -> bool:
        """Return whether an override has a value or an error; the page then unfolds them."""
        return any(field.value() or field.errors for field in self.option_fields())

    def clean_players(self) -> int:
        """Refuse a number that only other variants allow."""
        players: int = self.cleaned_data["players"]
        if players not in self._counts:
            raise ValidationError(self._wrong_players())
        return players

    def options(self) -> dict[str, Any]:
        """Return the rules' options: variant, players, and overrides of the variant."""
        return {
            "variant": self.cleaned_data["variant"],
            "players": self.cleaned_data["players"],
            **chosen_options(self.rules, self.cleaned_data),
        }


def option_names(game: type[Game]) -> dict[str, OptionField]:
    """Return the options of a game by the names of their fields."""
    return {f"option_{option.name}": option for option in game.option_fields}


def option_field(option: OptionField) -> forms.Field:
    """Return the field of an option. The rules check its value again."""
    field = _field_of(option)
    field.widget.attrs |= STEERS
    return field


def _field_of(option: OptionField) -> forms.Field:
    if option.kind is OptionKind.FLAG:
        return forms.ChoiceField(label=option.label, choices=YES_NO, required=False)
    if option.kind is OptionKind.WORD:
        words = [(word, word.replace("_", " ")) for word in option.words]
        return forms.ChoiceField(label=option.label, choices=[AS_VARIANT, *words], required=False)
    if option.kind is OptionKind.NUMBER:
        return forms.IntegerField(label=option.label, required=False)
    return forms.CharField(label=option.label, required=False, max_length=5)


def chosen_options(game: type[Game], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options given in a form's values, and those that they imply."""
    chosen: dict[str, Any] = {}
    for name, option in option_names(game).items():
        value = data.get(name)
        if value not in (None, ""):
            chosen[option.name] = value == "yes" if option.kind is OptionKind.FLAG else value
    return dict(game.implied(chosen))


def shown_option(option: OptionField, value: Any) -> Any:
    if option.kind is OptionKind.FLAG:
        return "yes" if value else "no"
    return value


def shown_value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
