"""The part of an assignment's form that changes single options of the game's rules."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from grader.core.errors import RulesError
from grader.core.games import Game
from grader.core.games.base import OptionField, OptionKind
from webapp.pages.courses.forms.fields import STEERS

AS_VARIANT: Final = ("", "as in the variant")
YES_NO: Final = (AS_VARIANT, ("yes", "yes"), ("no", "no"))


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


def valid_rules(game: type[Game], options: Mapping[str, Any]) -> Game:
    """Return the game with these options, without those that its rules refuse."""
    kept = dict(options)
    while True:
        try:
            return game.from_options(kept)
        except RulesError as error:
            if error.option not in kept:
                return game.from_options({})
            del kept[error.option]


def chosen_options(game: type[Game], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options given in a form's values, and those that they imply."""
    chosen: dict[str, Any] = {}
    for name, option in option_names(game).items():
        value = data.get(name)
        if value not in (None, ""):
            chosen[option.name] = value == "yes" if option.kind is OptionKind.FLAG else value
    return dict(game.implied(chosen))


def shown_option(option: OptionField, value: Any) -> Any:
    """Return an option's value as its field has it."""
    if option.kind is OptionKind.FLAG:
        return "yes" if value else "no"
    return value


def shown_value(value: Any) -> str:
    """Return an option's value as text."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
