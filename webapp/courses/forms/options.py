"""The part of an assignment's form that changes single options of the game's rules."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from grader.games import Game
from grader.games.base import OptionField, OptionKind

__all__ = ["AS_VARIANT", "chosen_options", "option_field", "option_names", "shown_option"]

AS_VARIANT: Final = ("", "as the variant has it")
YES_NO: Final = (AS_VARIANT, ("yes", "yes"), ("no", "no"))


def option_names(game: type[Game]) -> dict[str, OptionField]:
    """The form's fields by name, with what each is for."""
    return {f"option_{option.name}": option for option in game.option_fields}


def option_field(option: OptionField) -> forms.Field:
    """A field of the form. The rules check its value again: this is what is offered."""
    if option.kind is OptionKind.FLAG:
        return forms.ChoiceField(label=option.label, choices=YES_NO, required=False)
    if option.kind is OptionKind.WORD:
        words = [(word, word.replace("_", " ")) for word in option.words]
        return forms.ChoiceField(label=option.label, choices=[AS_VARIANT, *words], required=False)
    if option.kind is OptionKind.NUMBER:
        return forms.IntegerField(label=option.label, required=False)
    return forms.CharField(label=option.label, required=False, max_length=5)


def chosen_options(game: type[Game], data: Mapping[str, Any]) -> dict[str, Any]:
    """Options that were given, from the form's values, and what follows from them."""
    chosen: dict[str, Any] = {}
    for name, option in option_names(game).items():
        value = data.get(name)
        if value not in (None, ""):
            chosen[option.name] = value == "yes" if option.kind is OptionKind.FLAG else value
    return dict(game.implied(chosen))


def shown_option(option: OptionField, value: Any) -> Any:
    """An option's value as the form has it."""
    if option.kind is OptionKind.FLAG:
        return "yes" if value else "no"
    return value
