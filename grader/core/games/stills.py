"""A scene as rows of cards, which the site draws on pages without scripts.

A game that has none is shown by the text of its scene.
"""

from dataclasses import dataclass

__all__ = ["Card", "Row", "Still"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card as it lies on the table."""

    suit: str = ""
    """The letter of its suit; ``""`` for one that is face down."""
    rank: str = ""
    letter: str = ""
    """Printed beside the rank, where suits are told by letter."""
    path: str = ""
    """The suit's shape: an SVG path on a grid of 24 by 24."""
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cards that lie together: a hand, a trick, piles."""

    title: str
    seat: int | None = None
    """The seat that holds them."""
    cards: tuple[Card, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """A table that does not move."""

    sentence: str
    """One sentence about what was done."""
    figures: tuple[tuple[str, str], ...] = ()
    """Names and values: points, tokens."""
    rows: tuple[Row, ...] = ()
