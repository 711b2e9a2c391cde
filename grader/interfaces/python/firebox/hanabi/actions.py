"""Actions of a seat, and how the wire writes them.

Types are checked here, so that an error shows the student's line; the referee checks the rules.
"""

from dataclasses import dataclass
from operator import index as as_integer
from typing import Any, Final, TypeAlias

from firebox.hanabi.cards import COLORS, Wire


def _position(value: object, what: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is an int, not {value!r} of type {type(value).__name__}")
    return as_integer(value)


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card at this position of your hand."""

    card: int
    """Its position in your hand, from 0."""

    def __post_init__(self) -> None:
        if type(self.card) is not int:
            object.__setattr__(self, "card", _position(self.card, "the card to play"))


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card at this position of your hand."""

    card: int
    """Its position in your hand, from 0."""

    def __post_init__(self) -> None:
        if type(self.card) is not int:
            object.__setattr__(self, "card", _position(self.card, "the card to discard"))


@dataclass(frozen=True, slots=True)
class Hint:
    """Tell the player at seat ``to`` all cards of a colour, or all of a rank: exactly one."""

    to: int
    """The seat that receives the hint."""
    color: str | None = None
    """The colour's letter; ``None`` if a rank is named."""
    rank: int | None = None
    """The rank, 1 to 5; ``None`` if a colour is named."""

    def __post_init__(self) -> None:
        if type(self.to) is not int:
            object.__setattr__(self, "to", _position(self.to, "the seat that a hint is given to"))
        if (self.color is None) == (self.rank is None):
            raise TypeError(
                "a hint has either color or rank: Hint(1, color='R') or Hint(1, rank=3)"
            )
        if self.color is not None and not isinstance(self.color, str):
            raise TypeError(f"a hint's color is a letter of {COLORS}, not {self.color!r}")
        if self.rank is not None and type(self.rank) is not int:
            object.__setattr__(self, "rank", _position(self.rank, "a hint's rank"))


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange two cards of your own hand, if the rules allow it. It is then your turn again."""

    first: int
    """Position of one of the two cards, from 0."""
    second: int
    """Position of the other one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", _position(self.first, "a position to swap"))
        object.__setattr__(self, "second", _position(self.second, "a position to swap"))


Action: TypeAlias = Play | Discard | Hint | Swap

ACTION_TYPES: Final = (Play, Discard, Hint, Swap)


def action_to_wire(action: Action) -> dict[str, Any]:
    """The action as the wire has it. Raises TypeError for anything that is not an action."""
    match action:
        case Play(card):
            return {"type": "play", "card": card}
        case Discard(card):
            return {"type": "discard", "card": card}
        case Hint(to, color, None):
            return {"type": "hint", "to": to, "color": color}
        case Hint(to, None, rank):
            return {"type": "hint", "to": to, "rank": rank}
        case Swap(first, second):
            return {"type": "swap", "first": first, "second": second}
    raise TypeError(
        f"act() must return Play, Discard, Hint or Swap of firebox.hanabi, "
        f"not {_shortly(action)} of type {type(action).__name__}"
    )


def _shortly(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def action_from_wire(wire: Wire) -> Action:
    """The typed form of an action; the same object each time. Raises ValueError."""
    key = tuple(wire.values())
    action = _ACTIONS.get(key)
    if action is None:
        action = _ACTIONS[key] = _new_action(wire)
    return action


_ACTIONS: dict[tuple[Any, ...], Action] = {}


def _new_action(wire: Wire) -> Action:
    match wire:
        case {"type": "play", "card": card}:
            return Play(card)
        case {"type": "discard", "card": card}:
            return Discard(card)
        case {"type": "hint", "to": to, "color": color}:
            return Hint(to, color=color)
        case {"type": "hint", "to": to, "rank": rank}:
            return Hint(to, rank=rank)
        case {"type": "swap", "first": first, "second": second}:
            return Swap(first, second)
    raise ValueError(f"not an action of Hanabi: {wire!r}")
