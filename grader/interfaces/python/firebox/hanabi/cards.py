"""Cards, and the knowledge that hints give. Values from the wire are looked up in tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

COLORS: Final = "RYGWB"
"""All colours: red, yellow, green, white, blue."""

RANKS: Final = (1, 2, 3, 4, 5)

COPIES: Final[Mapping[int, int]] = MappingProxyType({1: 3, 2: 2, 3: 2, 4: 2, 5: 1})
"""The number of cards of each rank in every colour."""

Wire: TypeAlias = Mapping[str, Any]
"""A JSON object of the wire, decoded."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card's face. ``str(card)`` gives ``R3``, ``Card.parse("R3")`` the card back."""

    color: str
    """The colour's letter: one of ``R Y G W B``."""
    rank: int
    """The rank, 1 to 5."""

    def __str__(self) -> str:
        return f"{self.color}{self.rank}"

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written as colour letter and rank. Raises ValueError."""
        card = CARDS.get(text)
        if card is None:
            raise ValueError(f"a card is a letter of {COLORS} and a rank 1 to 5, not {text!r}")
        return card


CARDS: Final = {f"{color}{rank}": Card(color, rank) for color in COLORS for rank in RANKS}
"""The 25 different cards, by their short names."""

ALL_CARDS: Final = tuple(CARDS.values())
"""The 25 different cards."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge about one card from the hints so far: the same for every seat."""

    color: str | None
    """Its colour, if a hint has named it."""
    rank: int | None
    """Its rank, if a hint has named it."""
    colors: str
    """Letters of the colours that hints leave possible, also by *not* touching the card."""
    ranks: tuple[int, ...]
    """The ranks that hints leave possible."""

    @property
    def hinted(self) -> bool:
        """True if a hint has ever touched this card."""
        return self.color is not None or self.rank is not None

    def allows(self, card: Card) -> bool:
        """Return whether the hints leave it possible that this is ``card``."""
        return card.rank in self.ranks and card.color in self.colors

    def cards(self) -> tuple[Card, ...]:
        """All cards that the hints leave possible."""
        return tuple(CARDS[f"{color}{rank}"] for color in self.colors for rank in self.ranks)


_KNOWLEDGE: dict[tuple[str | None, int | None, str, str], Knowledge] = {}


def knowledge_from_wire(wire: Wire | None) -> Knowledge | None:
    """The typed form of what is known of a card; ``None`` for an empty slot."""
    if wire is None:
        return None
    key = wire["color"], wire["rank"], wire["colors"], wire["ranks"]
    known = _KNOWLEDGE.get(key)
    if known is None:
        color, rank, colors, ranks = key
        known = _KNOWLEDGE[key] = Knowledge(color, rank, colors, tuple(map(int, ranks)))
    return known
