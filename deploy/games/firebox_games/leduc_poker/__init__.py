"""Leduc poker: six cards, one of one's own, one in the middle, two rounds of betting.

The rules of Southey et al., “Bayes' Bluff: Opponent Modelling in Poker” (UAI 2005): bets of 2, then
of 4, at most two raises a round.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Self

from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Row
from grader.core.words import counted, seat_words

RANKS = "JQK"
BETS = (2, 4)
MOST_RAISES = 2
ACTIONS: dict[str, JsonObject] = {word: {"type": word} for word in ("fold", "call", "raise")}


class LeducPoker(FixedRules):
    """Leduc poker. Points are chips won; the pair with the card in the middle beats all others."""

    name = "leduc_poker"
    title = "Leduc poker"
    rules_version = 1
    competitive = True
    endings = {"folded": "all others folded", "showdown": "the cards were shown"}
    score_range = (-13, 13)

    @property
    def distinct_deals(self) -> int:
        """Ranks of two hands and of the middle card: of 27, three would need a third card."""
        return 24

    def deal(self, seed: bytes) -> "Table":
        return Table(Chance(seed, "cards").shuffled(RANKS * 2)[:3])

    def notate(self, action: JsonObject) -> str:
        return str(action["type"])

    def parse(self, notation: str) -> JsonObject:
        if notation not in ACTIONS:
            raise RecordError(f"no action {checks.shown(notation)}")
        return ACTIONS[notation]


class Table(State):
    def __init__(self, cards: Sequence[str]) -> None:
        *self.hands, self.middle = cards
        self.paid = [1, 1]
        self.round = 0
        self.raises = 0
        self.calls = 0
        self.mover = 0
        self.folded: int | None = None
        self.played: list[JsonObject] = []

    @property
    def turn(self) -> int:
        return sum(event["type"] != "middle" for event in self.played)

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else self.mover

    @property
    def ending(self) -> str | None:
        if self.folded is not None:
            return "folded"
        return "showdown" if self.round == len(BETS) else None

    def legal_actions(self) -> Sequence[JsonObject]:
        if self.ending:
            return []
        owes = self.paid[self.mover] < max(self.paid)
        words = ["fold"] * owes + ["call"] + ["raise"] * (self.raises < MOST_RAISES)
        return [ACTIONS[word] for word in words]

    def apply(self, action: JsonObject) -> None:
        word = checks.chosen(action, self.legal_actions())["type"]
        seat = self.mover
        self.played.append({"type": word, "seat": seat})
        self.mover = 1 - seat
        if word == "fold":
            self.folded = seat
        elif word == "raise":
            self.paid[seat] = max(self.paid) + BETS[self.round]
            self.raises += 1
            self.calls = 0
        else:
            self.paid[seat] = max(self.paid)
            self.calls += 1
            if self.calls == 2 or self.raises:
                self._end_round()

    def _end_round(self) -> None:
        self.round += 1
        self.raises = self.calls = self.mover = 0
        if self.round == 1:
            self.played.append({"type": "middle", "card": self.middle})

    def resample(self, seat: int, chance: Chance) -> Self:
        other = deepcopy(self)
        if self.ending != "showdown":
            deck = RANKS * 2
            for known in [self.hands[seat], *self.middle[: self.round]]:
                deck = deck.replace(known, "", 1)
            other.hands[1 - seat], middle, *_ = chance.shuffled(deck)
            other.middle = self.middle if self.round else middle
        return other

    def observe(self, seat: int) -> JsonObject:
        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "hand": self.hands[seat],
            "middle": self.middle if self.round else None,
            "paid": list(self.paid),
            "round": self.round,
        }

    def events(self, seat: int) -> Sequence[JsonObject]:
        return [{"type": "deal", "hand": self.hands[seat]}, *self.played, *self._shown()]

    def _shown(self) -> list[JsonObject]:
        return [{"type": "show", "hands": list(self.hands)}] if self.ending == "showdown" else []

    def scores(self) -> tuple[int, ...]:
        if self.folded is not None:
            lost = self.paid[self.folded]
            return (-lost, lost) if self.folded == 0 else (lost, -lost)
        one, other = (self._strength(hand) for hand in self.hands)
        won = (one > other) - (one < other)
        return (won * self.paid[1], -won * self.paid[0])

    def _strength(self, hand: str) -> int:
        return len(RANKS) if hand == self.middle else RANKS.index(hand)

    def describe(self, action: JsonObject) -> str:
        return f"{seat_words(self.mover)} {action['type']}s"

    def text(self) -> str:
        hands = [
            f"{seat_words(seat)}: {hand}, paid {paid}"
            for seat, (hand, paid) in enumerate(zip(self.hands, self.paid, strict=True))
        ]
        middle = f"middle: {self.middle}" + ("" if self.round else " (face down)")
        return "\n".join([*hands, middle, *([f"ending: {self.ending}"] if self.ending else [])])

    def rows(self, seat: int | None) -> Sequence[Row]:
        is_shown = self.ending == "showdown"
        hands = (
            Row(
                title=seat_words(owner).capitalize(),
                seat=owner,
                cards=(hand if is_shown or seat in {None, owner} else "",),
                note=f"{counted(paid, 'chip')} paid",
            )
            for owner, (hand, paid) in enumerate(zip(self.hands, self.paid, strict=True))
        )
        return [*hands, Row(title="In the middle", cards=(self.middle if self.round else "",))]
