"""A hand of Hearts played to its end by rules of thumb, as fast as Python goes.

Cards are bits of one number, by suit and rank as ``ALL_CARDS`` has them, hands the sums of their
cards: the lowest card of a hand is ``hand & -hand``, those below a card ``hand & (card - 1)``.
A whole hand of four takes about 60 µs so, a fifth of what lists of cards took.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firebox.hearts import ALL_CARDS, QUEEN_OF_SPADES, SUITS, Card

BITS: Final = {card: 1 << number for number, card in enumerate(ALL_CARDS)}
SUIT_BITS: Final = {suit: 0x1FFF << 13 * number for number, suit in enumerate(SUITS)}
QUEEN: Final = BITS[QUEEN_OF_SPADES]
HEARTS: Final = SUIT_BITS["H"]
SPADES: Final = SUIT_BITS["S"]
COSTS: Final = HEARTS | QUEEN
ABOVE_QUEEN: Final = SPADES & ~(2 * QUEEN - 1)

_CLUBS: Final = SUIT_BITS["C"]
_DIAMONDS: Final = SUIT_BITS["D"]
_IN_SUIT_ORDER: Final = tuple(SUIT_BITS.values())


def bits(cards: Iterable[Card]) -> int:
    """A number that has these cards."""
    return sum(BITS[card] for card in cards)


def suit_of(card: int) -> int:
    """All cards of the suit of one."""
    return _IN_SUIT_ORDER[(card.bit_length() - 1) // 13]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick as it lies; before its first card all are 0, and the leader takes it."""

    led: int = 0
    """All cards of the suit that was led."""
    best: int = 0
    """The card that takes it."""
    taker: int = 0
    """Whose that is."""
    cards: int = 0
    """All its cards."""

    def joined(self, seat: int, card: int) -> "Trick":
        """The trick after one more card."""
        if not self.led:
            return Trick(suit_of(card), card, seat, card)
        if card & self.led and card > self.best:
            return Trick(self.led, card, seat, self.cards | card)
        return Trick(self.led, self.best, self.taker, self.cards | card)


class Playout:
    """The part of a position that stays the same while hands are played out."""

    def __init__(self, players: int, breaks: int) -> None:
        self.players = players
        self.breaks = breaks
        """The cards that break hearts."""
        others = players - 1
        self.takes = [
            [(lower / (lower + higher)) ** min(others, lower + higher) if higher else 1.0
             for higher in range(14)]
            for lower in range(14)
        ]  # fmt: skip
        """The probability that a lead takes its trick, by the lower and higher cards of others."""

    def play_out(
        self, hands: list[int], points: list[int], trick: Trick, seat: int, *, broken: bool,
        strict: bool,
    ) -> None:  # fmt: skip
        """Play to the last point, changing ``hands`` and adding to ``points``.

        At least one card lies; on a ``strict`` first trick no points may be discarded.
        """
        led, best, taker, lying = trick.led, trick.best, trick.taker, trick.cards
        left = lying | sum(hands)
        waiting = self.players - lying.bit_count()
        while True:
            while waiting:
                hand = hands[seat]
                following = hand & led
                if following:
                    card = _follow(following, best, last=waiting == 1, free=not lying & COSTS)
                    if card > best:
                        best, taker = card, seat
                else:
                    card = _discard((strict and hand & ~COSTS) or hand, left)
                hands[seat] = hand ^ card
                lying |= card
                seat = seat + 1 if seat + 1 < self.players else 0
                waiting -= 1
            cost = lying & COSTS
            if cost:
                points[taker] += cost.bit_count() + (12 if cost & QUEEN else 0)
                broken = broken or bool(cost & self.breaks)
            left &= ~lying
            if not left & COSTS:
                return
            strict = False
            hand = hands[taker]
            card = best = lying = self._lead(hand, left & ~hand, broken=broken)
            led = suit_of(card)
            hands[taker] = hand ^ card
            seat = taker + 1 if taker + 1 < self.players else 0
            waiting = self.players - 1

    def _lead(self, hand: int, out: int, *, broken: bool) -> int:
        """The lowest card of the suit in which others most likely take the trick."""
        safest, chosen = 99.0, 0
        for suit in _IN_SUIT_ORDER:
            mine = hand & suit
            if not mine or (suit == HEARTS and not broken and hand != mine):
                continue
            card = mine & -mine
            others = out & suit
            lower = (others & (card - 1)).bit_count()
            danger = self.takes[lower][others.bit_count() - lower]
            if suit == HEARTS:
                danger *= 3.0
            elif card == QUEEN:
                danger *= 14.0
            elif suit == SPADES and out & QUEEN:
                danger = danger * 10.0 if card > QUEEN else -0.5 - danger
            else:
                danger *= 1.5
            danger += 0.15 * mine.bit_count()
            if danger < safest:
                safest, chosen = danger, card
        return chosen


def _follow(following: int, best: int, *, last: bool, free: bool) -> int:
    """The queen if she is safe; high where the trick is free or lost anyway; else below."""
    below = following & (best - 1)
    if below & QUEEN:
        return QUEEN
    plain = following & ~QUEEN or following
    if last and (free or not below):
        return 1 << plain.bit_length() - 1
    return 1 << below.bit_length() - 1 if below else plain & -plain


def _discard(hand: int, left: int) -> int:
    """The queen; spades above her while she is out; hearts; the highest."""
    if hand & QUEEN:
        return QUEEN
    if left & QUEEN and hand & ABOVE_QUEEN:
        return 1 << (hand & ABOVE_QUEEN).bit_length() - 1
    if hand & HEARTS:
        return 1 << hand.bit_length() - 1
    clubs = (hand & _CLUBS).bit_length()
    diamonds = (hand & _DIAMONDS).bit_length() - 13
    spades = (hand & SPADES).bit_length() - 26
    if clubs >= diamonds and clubs >= spades:
        return 1 << clubs - 1
    return 1 << diamonds + 12 if diamonds >= spades else 1 << spades + 25
