"""The endings of a game of Hearts, and their descriptions."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class HeartsEnding(StrEnum):
    """Why a game of Hearts was over."""

    HANDS = "hands"
    """All its hands were played."""
    TOTAL = "total"
    """A total reached ``end_at``, and one seat had fewest points."""
    TIED = "tied"
    """A total reached ``end_at``, and three more hands left several with fewest points."""
    HAND_LIMIT = "hand_limit"
    """The most hands that a game may have were played, and neither of the two above came first."""


ENDING_WORDS: Final[Mapping[str, str]] = {
    HeartsEnding.HANDS: "all hands played",
    HeartsEnding.TOTAL: "a total was reached",
    HeartsEnding.TIED: "still tied after three more hands",
    HeartsEnding.HAND_LIMIT: "too many hands",
}
