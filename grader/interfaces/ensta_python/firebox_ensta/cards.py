"""The cards of a game as the agent holds them, and what is known of each of them.

All that is done to them is setting attributes, so that any class of cards will do.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["Held", "Piles", "blank_cards", "letters_of", "make_comparable"]

_COPIES: Final = ("1", "1", "1", "2", "2", "3", "3", "4", "4", "5")


def unknown_number() -> float:
    """A new one each time: two unknown numbers are not even the same object."""
    return float("nan")


class Piles(dict[Any, Any]):
    """The tops of the piles; of a colour that is not known, neither is the pile."""

    def __missing__(self, key: object) -> float:
        if key is None:
            return unknown_number()
        raise KeyError(key)


class Held:
    """One card, with what this process knows of it and what its holder was told."""

    __slots__ = ("card", "color", "color_told", "number", "number_told")

    def __init__(self, card: Any) -> None:
        self.card = card
        self.color: Any = None
        """``None`` as long as nobody here has seen it."""
        self.number: int | None = None
        self.color_told = False
        self.number_told = False

    def reveal(self, color: Any, number: int) -> None:
        """Somebody here sees it."""
        self.color, self.number = color, number
        self.show()

    def tell(self, attribute: str, value: Any) -> None:
        """Its holder is told its ``color`` or its ``number``."""
        setattr(self, attribute, value)
        setattr(self, f"{attribute}_told", True)
        setattr(self.card, attribute, value)

    def mask(self) -> None:
        """Leave only what its holder was told."""
        if not self.color_told:
            self.card.color = None
        if not self.number_told:
            self.card.number = unknown_number()

    def show(self) -> None:
        """Put everything back that is known."""
        card = self.card
        card.color = self.color
        card.number = unknown_number() if self.number is None else self.number


def mark_clue(card: Any, attribute: str, value: str) -> None:
    """Note a clue on the card as its class notes none: text, or a list that begins with it."""
    noted = getattr(card, attribute, False)
    if isinstance(noted, list) and noted:
        noted[0] = value
    else:
        setattr(card, attribute, value)


def is_marked(card: Any, attribute: str) -> bool:
    """Whether a clue is noted on the card."""
    noted = getattr(card, attribute, False)
    return bool(noted[0] if isinstance(noted, list) and noted else noted)


def letters_of(colors: Any) -> dict[str, Any]:
    """The colours by their first letters."""
    return {str(getattr(color, "name", color))[0]: color for color in colors}


def blank_cards(make: Callable[[Any, int], Any], colors: Mapping[str, Any]) -> list[Held]:
    """A whole deck of which nothing is known yet."""
    cards = [Held(make(color, int(number))) for color in colors.values() for number in _COPIES]
    for held in cards:
        held.show()
    return cards


def make_comparable(kind: Any) -> None:
    """Let cards of which something is unknown equal only themselves.

    The course compares cards by what they read. Read by a seat that may not see them, all its own
    would be the same, and ``hand.cards.index(card)`` always 0.
    """
    compare = kind.__eq__
    if getattr(compare, "knows_unknown_cards", False):
        return

    def equal(self: Any, other: Any) -> Any:
        if self is other:
            return True
        for card in (self, other):
            if isinstance(card, kind) and (card.color is None or card.number != card.number):
                return False
        return compare(self, other)

    equal.knows_unknown_cards = True  # type: ignore[attr-defined] # a mark for the next call
    hashed = kind.__hash__
    with contextlib.suppress(AttributeError, TypeError):
        kind.__eq__ = equal
        kind.__hash__ = hashed
