"""The cards of Hearts: what each is worth, how its plays are written, and the decks of a game."""

import hmac
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from grader.core.deals import shuffled
from grader.core.games.base import JsonObject

SUITS: Final = "CDSH"
RANKS: Final = "23456789TJQKA"
CARDS: Final = tuple(suit + rank for suit in SUITS for rank in RANKS)

ALL_POINTS: Final = 26
PASSED_CARDS: Final = 3
MAX_EXTRA_HANDS: Final = 3
"""Played for a single lowest seat after ``end_at`` was reached."""

PLACE: Final = {card: place for place, card in enumerate(CARDS)}
"""The position of each card in ``CARDS``."""
POINTS: Final = {card: 1 if card[0] == "H" else 13 * (card == "SQ") for card in CARDS}
"""Points that each card costs the seat that takes it."""
FIRST_LEAD: Final = "C2"
"""The card that begins a hand."""
QUEEN: Final = "SQ"
_LEFT_OUT: Final = "D2"
DIRECTIONS: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("across", "none"),
    3: ("left", "right", "none"),
    4: ("left", "right", "across", "none"),
}
"""The directions of passing, hand by hand, for each number of players."""
STEPS: Final = {"left": 1, "right": -1, "across": None}
"""The number of seats to the receiver; ``None`` is half of the table."""
SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
_RANK_WORDS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@cache
def deck(players: int) -> tuple[str, ...]:
    """Return the cards that this number of players use, sorted, before they are shuffled."""
    return tuple(card for card in CARDS if players != 3 or card != _LEFT_OUT)


PLAYS: Final[Mapping[str, JsonObject]] = {card: {"type": "play", "card": card} for card in CARDS}
PASSES: Final[Mapping[str, JsonObject]] = {card: {"type": "pass", "card": card} for card in CARDS}
BY_NOTATION: Final = {**PLAYS, **{f"p{card}": action for card, action in PASSES.items()}}


class Shuffler:
    """Shuffles the deck of each hand from a deal seed."""

    def __init__(self, players: int, seed: bytes) -> None:
        self._cards = deck(players)
        self._seed = seed

    def __call__(self, number: int) -> Sequence[str]:
        seed = self._seed
        if number:
            message = b"firebox hand v1" + number.to_bytes(8, "big")
            seed = hmac.digest(seed, message, "sha256")
        return shuffled(self._cards, seed)


class ChosenDecks:
    """Deals given decks, one a hand, and again from the first."""

    def __init__(self, decks: Sequence[Sequence[str]]) -> None:
        self._decks = decks

    def __call__(self, number: int) -> Sequence[str]:
        return self._decks[number % len(self._decks)]


def card_words(card: str) -> str:
    """Return ``the queen of spades`` for ``SQ``."""
    return f"the {_RANK_WORDS.get(card[1], card[1])} of {SUIT_WORDS[card[0]]}"
