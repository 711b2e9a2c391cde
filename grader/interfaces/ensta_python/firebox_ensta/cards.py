"""The cards of a game as the agent holds them: of any class, since only attributes are set."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Final

_COPIES: Final = ("1", "1", "1", "2", "2", "3", "3", "4", "4", "5")


_LETTERS: Final = "RBGWY"
"""Colours of the wire, in the course's order."""


class DeckError(Exception):
    """Cards that cannot stand for the game's; the text says what is different."""


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
    """One card, with this process's and its holder's knowledge of it."""

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
        """Leave only its holder's knowledge."""
        if not self.color_told:
            self.card.color = None
        if not self.number_told:
            self.card.number = unknown_number()

    def face(self) -> str:
        """Return the card as the course writes it, and sorts by."""
        return f"{initial_of(self.color)}{self.number}"

    def show(self) -> None:
        """Put everything back that is known."""
        card = self.card
        card.color = self.color
        card.number = unknown_number() if self.number is None else self.number


class Laid:
    """A list of cards that belongs to the agent's game and follows the referee's.

    Cards leave it and come to its end as they do at the table. An order that an agent gave it
    stays, as in the one process of the course, and so do cards that it made up. Those that it took
    away are there again.
    """

    def __init__(self, deck: Set[int]) -> None:
        """``deck`` are the identities of all cards of the game: others are made up."""
        self._deck = deck
        self._before: list[Any] | None = None

    def lay(self, present: list[Any], cards: list[Any]) -> None:
        """Bring the list up to date: ``cards`` are those that are there now."""
        if self._before is None or list(map(id, present)) == list(map(id, self._before)):
            present[:] = cards
        else:
            before, now = ({id(card) for card in hand} for hand in (self._before, cards))
            elsewhere = self._deck - now
            present[:] = [card for card in present if id(card) not in elsewhere]
            there = set(map(id, present))
            for position, card in enumerate(cards):
                if id(card) not in there:
                    present.insert(position if id(card) in before else len(present), card)
        self._before = list(cards)


def mark_clue(card: Any, attribute: str, value: str) -> None:
    """Note a clue on the card as its class notes none: text, or a list that begins with it."""
    noted = getattr(card, attribute, False)
    if isinstance(noted, list) and noted:
        noted[0] = value
    else:
        setattr(card, attribute, value)


def is_marked(card: Any, attribute: str) -> bool:
    """Return whether a clue is noted on the card."""
    noted = getattr(card, attribute, False)
    return bool(noted[0] if isinstance(noted, list) and noted else noted)


def initial_of(color: object) -> str:
    """The letter that an agent writes for a colour."""
    return str(getattr(color, "name", color))[:1].upper()


def names_by_letter(names: Sequence[str]) -> dict[str, str]:
    """The names of a deck's colours by the letters of the wire.

    A course's team may have renamed some, or have more: five are found by their letters, or else by
    their places. Of two with one letter, the first counts. Raises DeckError if neither is possible.
    """
    by_letter = {name[:1].upper(): name for name in reversed(names)}
    if set(_LETTERS) <= by_letter.keys():
        return {letter: by_letter[letter] for letter in _LETTERS}
    if len(names) != len(_LETTERS):
        raise DeckError(
            f"the deck has the colours {', '.join(names)}: it takes five, in the course's order"
            " (Red, Blue, Green, White, Yellow) whatever they are called, or with its letters"
        )
    return dict(zip(_LETTERS, names, strict=True))


def colors_by_letter(colors: Iterable[Any]) -> dict[str, Any]:
    """The same for the colours themselves. Raises DeckError."""
    named = {str(getattr(color, "name", color)): color for color in colors}
    return {letter: named[name] for letter, name in names_by_letter(list(named)).items()}


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
