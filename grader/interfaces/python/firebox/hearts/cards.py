"""The cards. Values from the wire are looked up in a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

SUITS: Final = "CDSH"
"""All suits: clubs, diamonds, spades, hearts."""

_RANKS: Final = "23456789TJQKA"

Wire: TypeAlias = Mapping[str, Any]
"""A JSON object of the wire, decoded."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card. ``str(card)`` gives ``SQ``, ``Card.parse("SQ")`` the card back."""

    suit: str
    """The suit's letter: one of ``C D S H``."""
    rank: int
    """2 to 10; jack 11, queen 12, king 13, ace 14."""

    def __str__(self) -> str:
        return self.suit + _RANKS[self.rank - 2]

    @property
    def points(self) -> int:
        """Its cost to the seat that takes it: a heart 1, the queen of spades 13, others 0."""
        if self.suit == "H":
            return 1
        return 13 if self.suit == "S" and self.rank == 12 else 0

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written as suit and rank. Raises ValueError."""
        card = CARDS.get(text)
        if card is None:
            raise ValueError(f"a card is a letter of {SUITS} and one of {_RANKS}, not {text!r}")
        return card


CARDS: Final = {
    f"{suit}{letter}": Card(suit, rank)
    for suit in SUITS
    for rank, letter in enumerate(_RANKS, start=2)
}
"""The 52 cards, by their short names."""

ALL_CARDS: Final = tuple(CARDS.values())
"""The 52 cards, by suit and rank."""

TWO_OF_CLUBS: Final = CARDS["C2"]
"""It leads every hand."""

QUEEN_OF_SPADES: Final = CARDS["SQ"]
"""Thirteen points."""
