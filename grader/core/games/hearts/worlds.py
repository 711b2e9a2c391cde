"""Other plays of Hearts that a seat cannot tell from its own.

They follow from the seat's events, and from the holder of the first lead, whom a seat knows before
the first card as well. Other hands fit what was played: who could not follow a suit has none of it.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from grader.core.chance import Chance
from grader.core.games.base import JsonObject
from grader.core.games.hearts.cards import (
    FIRST_LEAD,
    PASSED_CARDS,
    PASSES,
    PLAYS,
    POINTS,
    STEPS,
    ChosenDecks,
    deck,
)
from grader.core.games.hearts.options import MAX_HANDS, HeartsOptions
from grader.core.games.hearts.rules import HeartsState


def sampled(
    rules: HeartsOptions,
    seat: int,
    events: Sequence[JsonObject],
    chance: Chance,
    opener: int | None = None,
) -> HeartsState:
    """Draw a play in which ``seat`` was told these events; ``opener`` is who leads now, if the hand
    has not begun."""
    starts = [at for at, event in enumerate(events) if event["type"] == "deal"]
    ends = [*starts[1:], len(events)]
    hands = [
        _Hand(rules, seat, events[start:end], opener if end == len(events) else None)
        for start, end in zip(starts, ends, strict=True)
    ]
    decks = [hand.sampled(chance) for hand in hands]
    later = rules.hands or MAX_HANDS
    decks += [chance.shuffled(deck(rules.players)) for _ in range(later - len(decks))]
    state = HeartsState(rules, ChosenDecks(decks))
    for action in chain.from_iterable(hand.actions() for hand in hands):
        state.apply(action)
    return state


class _Hand:
    """One hand as a seat was told of it, and hands of the others that fit."""

    def __init__(
        self, rules: HeartsOptions, seat: int, events: Sequence[JsonObject], opener: int | None
    ) -> None:
        self._rules, self._seat, self._events = rules, seat, events
        self._seats: Final = range(rules.players)
        self._own: list[str] = list(events[0]["cards"])
        self._passing = str(events[0]["passing"])
        self._passed: list[list[str]] = [[] for _ in self._seats]
        """By seat the cards that it passed: the own ones, and later drawn ones."""
        self._count = [0] * rules.players
        self._held: list[list[str]] = [[] for _ in self._seats]
        """By seat the cards that it had after passing, as far as they are known."""
        self._barred: list[set[str]] = [set() for _ in self._seats]
        """By seat the cards that it cannot have any more."""
        self._received = False
        if opener not in {None, seat}:
            self._held[opener or 0].append(FIRST_LEAD)
        for event in events:
            if event["type"] in {"pass", "receive"}:
                self._read_passing(event)
        self._read_plays()

    def _receiver(self, seat: int) -> int:
        step = STEPS[self._passing]
        return (seat + (self._rules.players // 2 if step is None else step)) % self._rules.players

    def _read_passing(self, event: JsonObject) -> None:
        seat = event["seat"]
        if event["type"] == "pass":
            self._count[seat] += 1
            if seat == self._seat:
                self._passed[seat].append(event["card"])
            return
        self._received = True
        if seat == self._seat:
            self._passed[event["from"]] = list(event["cards"])
        elif event["from"] == self._seat:
            self._know(seat, event["cards"])

    def _know(self, seat: int, cards: Sequence[str]) -> None:
        self._held[seat] += [card for card in cards if card not in self._held[seat]]

    def _read_plays(self) -> None:
        cards = deck(self._rules.players)
        trick: list[str] = []
        tricks, broken = 0, False
        for event in self._events:
            if event["type"] == "trick":
                trick, tricks = [], tricks + 1
            if event["type"] != "play":
                continue
            card, barred = event["card"], self._barred[event["seat"]]
            if trick and card[0] != trick[0][0]:
                barred |= {each for each in cards if each[0] == trick[0][0]}
                if not tricks and self._rules.bleeding == "strict" and POINTS[card]:
                    barred |= {each for each in cards if not POINTS[each]}
            if not trick and tricks and not broken and card[0] == "H":
                barred |= {each for each in cards if each[0] != "H"}
            broken = broken or card[0] == "H" or (card == "SQ" and self._rules.queen_breaks)
            trick.append(card)
            self._know(event["seat"], [card])

    def sampled(self, chance: Chance) -> list[str]:
        """Draw the deck of this hand, and what the others passed."""
        kept = self._after_passing(chance)
        if self._passing == "none":
            return [card for hand in kept for card in hand]
        if not self._received:
            for seat in set(self._seats) - {self._seat}:
                self._passed[seat] = chance.shuffled(kept[seat])[: self._count[seat]]
            return [card for hand in kept for card in hand]
        dealt = [set(hand) for hand in kept]
        for seat in self._seats:
            taker = self._receiver(seat)
            if self._seat not in {seat, taker}:
                self._passed[seat] = chance.shuffled(sorted(kept[taker]))[:PASSED_CARDS]
            dealt[taker] -= set(self._passed[seat])
        for seat in self._seats:
            dealt[seat] |= set(self._passed[seat])
        return [card for hand in dealt for card in sorted(hand)]

    def _after_passing(self, chance: Chance) -> list[list[str]]:
        hands = [list(held) for held in self._held]
        hands[self._seat] = self._own
        if self._received:
            giver = next(seat for seat in self._seats if self._receiver(seat) == self._seat)
            kept = [card for card in self._own if card not in self._passed[self._seat]]
            hands[self._seat] = kept + self._passed[giver]
        cards = deck(self._rules.players)
        known = set(chain.from_iterable(hands))
        room = len(cards) // self._rules.players
        fixed = [len(hand) for hand in hands]
        for card in chance.shuffled([card for card in cards if card not in known]):
            if not self._place(card, hands, fixed, room, set(), chance):
                raise ValueError(f"no seat can have {card}")
        return hands

    def _place(
        self,
        card: str,
        hands: list[list[str]],
        fixed: Sequence[int],
        room: int,
        tried: set[int],
        chance: Chance,
    ) -> bool:
        """Give a card to a seat as likely as it has room; if none has any, move another card."""
        fit = [seat for seat in self._seats if card not in self._barred[seat]]
        free = chance.shuffled([seat for seat in fit for _ in range(room - len(hands[seat]))])
        if free:
            hands[free[0]].append(card)
            return True
        for seat in chance.shuffled([seat for seat in fit if seat not in tried]):
            tried.add(seat)
            for at in chance.shuffled(range(fixed[seat], room)):
                other = hands[seat][at]
                if self._place(other, hands, fixed, room, tried, chance):
                    hands[seat][at] = card
                    return True
        return False

    def actions(self) -> list[JsonObject]:
        """Return the actions of the hand, once it was sampled."""
        found, given = list[JsonObject](), [0] * self._rules.players
        for event in self._events:
            if event["type"] == "play":
                found.append(PLAYS[event["card"]])
            elif event["type"] == "pass":
                seat = event["seat"]
                found.append(PASSES[self._passed[seat][given[seat]]])
                given[seat] += 1
        return found
