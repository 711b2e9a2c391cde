"""Actions of a seat, and how the wire writes them.

Types are checked here, so that an error shows the student's line; the referee checks the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from firebox.hearts.cards import CARDS, Card, Wire


def _card(value: object, what: str) -> None:
    if not isinstance(value, Card):
        raise TypeError(f"{what} is a Card, not {value!r} of type {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class Play:
    """Play this card to the trick."""

    card: Card
    """One of your hand."""

    def __post_init__(self) -> None:
        _card(self.card, "what is played")


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass this card on before the hand is played. You pass three cards, one a turn."""

    card: Card
    """One of your hand."""

    def __post_init__(self) -> None:
        _card(self.card, "what is passed")


Action: TypeAlias = Play | Pass

ACTION_TYPES: Final = (Play, Pass)


def action_to_wire(action: Action) -> dict[str, Any]:
    """The action as the wire has it. Raises TypeError for anything that is not an action."""
    match action:
        case Play(card):
            return {"type": "play", "card": str(card)}
        case Pass(card):
            return {"type": "pass", "card": str(card)}
    raise TypeError(
        f"act() must return Play or Pass of firebox.hearts, "
        f"not {_shortly(action)} of type {type(action).__name__}"
    )


def _shortly(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


_PLAYS: Final = {name: Play(card) for name, card in CARDS.items()}
_PASSES: Final = {name: Pass(card) for name, card in CARDS.items()}
_ACTIONS: Final[Mapping[str, Mapping[str, Action]]] = {"play": _PLAYS, "pass": _PASSES}


def action_from_wire(wire: Wire) -> Action:
    """The typed form of an action; the same object each time. Raises ValueError."""
    try:
        return _ACTIONS[wire["type"]][wire["card"]]
    except KeyError:
        raise ValueError(f"not an action of Hearts: {wire!r}") from None
