"""The cards of Hanabi, and hands as tuples that are replaced, never changed."""

from typing import Final, TypeVar

from grader.core.games.hanabi.options import COLORS

DECK: Final = tuple(color + rank for color in COLORS for rank in "1112233445")
"""The fifty cards, sorted, before they are shuffled."""

PERFECT_SCORE: Final = 25

SWAPS_PER_TURN: Final = 100
"""The number of times that a seat may rearrange its hand in one turn."""

WORDS: Final = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}

_T = TypeVar("_T")


def in_slot(hand: tuple[_T, ...], index: int, new: tuple[_T, ...]) -> tuple[_T, ...]:
    """Return the hand with ``new`` in the place of the card at ``index``."""
    return hand[:index] + new + hand[index + 1 :]


def at_end(hand: tuple[_T, ...], index: int, new: tuple[_T, ...]) -> tuple[_T, ...]:
    """Return the hand without the card at ``index``, and with ``new`` at its end."""
    return hand[:index] + hand[index + 1 :] + new


def swapped(hand: tuple[_T, ...], first: int, second: int) -> tuple[_T, ...]:
    """Return the hand with two cards in each other's place."""
    cards = list(hand)
    cards[first], cards[second] = cards[second], cards[first]
    return tuple(cards)
