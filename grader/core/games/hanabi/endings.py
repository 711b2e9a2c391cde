"""The endings of a game of Hanabi, and their descriptions."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class HanabiEnding(StrEnum):
    """Why a game of Hanabi was over."""

    PERFECT = "perfect"
    """All five fireworks were completed: 25 points."""
    STRIKES = "strikes"
    """The last life was lost."""
    DECK_OUT = "deck_out"
    """The last round was played after the deck ran out."""


ENDING_WORDS: Final[Mapping[str, str]] = {
    HanabiEnding.PERFECT: "all fireworks complete",
    HanabiEnding.STRIKES: "last life lost",
    HanabiEnding.DECK_OUT: "deck ran out",
}
