"""Deductions from an observation, as sets of cards in the bits of a number.

Bit ``5 * colour + rank - 1`` stands for a card, so that a set of the 25 different cards is an int:
intersection is ``&`` and size is ``int.bit_count()``. That makes the stronger agents several times
faster than sets or lists of cards would.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from firebox.hanabi import ALL_CARDS, COLORS, Card, Knowledge, Observation

ALL = (1 << 25) - 1

BIT = {card: 1 << 5 * COLORS.index(card.color) + card.rank - 1 for card in ALL_CARDS}
"""The set of just one card."""

CARD = {bit: card for card, bit in BIT.items()}

OF_COLOR = {color: 31 << 5 * at for at, color in enumerate(COLORS)}

OF_RANK = {rank: sum(1 << 5 * at + rank - 1 for at in range(5)) for rank in range(1, 6)}


def union(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    bits = 0
    for card in cards:
        bits |= BIT[card]
    return bits


def members(bits: int) -> Iterator[int]:
    """The sets of one card each that a set consists of, in a fixed order."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


@cache
def allowed(knowledge: Knowledge) -> int:
    """The cards that hints alone leave possible."""
    return union(knowledge.cards())


class Copies:
    """The copies of each card that are left to be found, in three planes of bits.

    A card is in the first plane if one copy or more is left, in the second if two or more are, so
    that the number of copies in a set is a sum of three bit counts.
    """

    __slots__ = ("one", "three", "two")

    def __init__(self) -> None:
        self.one = ALL
        self.two = ALL & ~OF_RANK[5]
        self.three = OF_RANK[1]

    def copy(self) -> "Copies":
        """An independent copy."""
        twin = Copies()
        twin.one, twin.two, twin.three = self.one, self.two, self.three
        return twin

    def take(self, bit: int) -> None:
        """One copy of the card is found."""
        if self.three & bit:
            self.three ^= bit
        elif self.two & bit:
            self.two ^= bit
        else:
            self.one &= ~bit

    def count(self, bits: int) -> int:
        """Count the copies of these cards that are left, together."""
        return (
            (self.one & bits).bit_count()
            + (self.two & bits).bit_count()
            + (self.three & bits).bit_count()
        )


class CardTable:
    """The fireworks and the discards, and which cards they make useful."""

    __slots__ = ("critical", "left", "playable", "useless")

    def __init__(self, fireworks: Mapping[str, int], discards: Iterable[Card]) -> None:
        self.left = Copies()
        """Copies that are neither discarded nor played."""
        for card in discards:
            self.left.take(BIT[card])
        obtainable = self.left.one
        self.playable = 0
        """Cards that fit now."""
        self.useless = 0
        """Cards that will never fit again."""
        for color, top in fireworks.items():
            self._look_at(color, top, obtainable)
        self.critical = self.left.one & ~self.left.two & ~self.useless
        """Cards still needed, of which one copy is left."""

    def _look_at(self, color: str, top: int, obtainable: int) -> None:
        bottom = 1 << 5 * COLORS.index(color)
        for rank in range(top):
            self.left.take(bottom << rank)
        needed = OF_COLOR[color] & ~((bottom << top) - 1)
        missing = needed & ~obtainable
        if missing:
            needed &= (missing & -missing) - 1
        self.useless |= OF_COLOR[color] & ~needed
        self.playable |= needed & (bottom << top)


class View(CardTable):
    """One seat's knowledge of its own cards, by hints and by counting the cards it sees."""

    __slots__ = ("hidden", "mine")

    def __init__(self, observation: Observation) -> None:
        super().__init__(observation.fireworks, observation.discards)
        self.hidden = self.left.copy()
        """Copies that this seat does not see: in the deck or in its own hand."""
        for other in observation.others():
            for card in other.cards:
                if card is not None:
                    self.hidden.take(BIT[card])
        self.mine = {
            at: allowed(knowledge) & self.hidden.one
            for at, knowledge in enumerate(observation.my_hand.knowledge)
            if knowledge is not None
        }
        """Per position of the own hand, the cards that are possible there."""

    def certain(self, bits: int) -> list[int]:
        """Positions whose card is certainly one of these."""
        return [at for at, possible in self.mine.items() if not possible & ~bits]

    def chance(self, at: int, bits: int) -> float:
        """Probability that the card at a position is one of these."""
        possible = self.mine[at]
        return self.hidden.count(possible & bits) / max(self.hidden.count(possible), 1)
