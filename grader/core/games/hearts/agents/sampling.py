"""Sampling: deals the hidden cards at random, many times, and tries its cards in each deal.

Determinised Monte Carlo search (as in Ginsberg's GIB, 2001). In each world that ``_worlds`` deals
every card that is worth a try is played, and everybody goes on by the rules of thumb of
``_playout``; the worse half of the cards is left out, and the rest is tried in further worlds,
until one card is left: the one that costs least on average. How often cards are played out is
fixed, not the time: a game can be played again exactly.
"""

from firebox import Context
from firebox.hearts import QUEEN_OF_SPADES, Card, Event, Observation

from ._playout import BITS, HEARTS, QUEEN, Playout
from ._worlds import Worlds
from .guarded import Guarded

_PLAYOUTS = 360
"""Hands played out in a decision, over all cards that can be chosen."""
_ALL = 26
_MOON = 9.0
"""The value of a moon over a hand without points, where many pay for it. With two players, one
has none only if the other has all."""


class Sampling(Guarded):
    """Tries its cards in worlds that agree with what it knows; passes as guarded does."""

    def start(self, context: Context) -> None:
        super().start(context)
        self.worlds = Worlds(context)
        self.table = Playout(
            self.players, HEARTS | (QUEEN if context.options["queen_breaks"] else 0)
        )
        self.moon, self.others_moon = -_MOON * (self.players - 2) / (self.players - 1), float(_ALL)
        if context.options["moon"] == "self":
            self.moon, self.others_moon = -float(_ALL), 0.0

    def on_event(self, event: Event) -> None:
        super().on_event(event)
        self.worlds.on_event(event)

    def choose(self, observation: Observation, legal: list[Card]) -> Card:
        """The card that costs least on average over the sampled worlds."""
        self.worlds.look(observation)
        cards = self.different(legal)
        rounds = (len(cards) - 1).bit_length()
        total = dict.fromkeys(cards, 0.0)
        while len(cards) > 1:
            for _ in range(self.count(len(cards), rounds)):
                hands = self.worlds.deal()
                if hands is None:
                    return super().choose(observation, legal)
                for card in cards:
                    total[card] += self.cost(observation, hands, BITS[card])
            cards.sort(key=lambda card: (total[card], -card.rank, card.suit))
            del cards[(len(cards) + 1) // 2 :]
        return cards[0]

    def count(self, cards: int, rounds: int) -> int:
        """Return the number of worlds in which this many cards are tried; one where nothing is
        hidden."""
        return 1 if self.players == 2 else max(2, _PLAYOUTS // (rounds * cards))

    def different(self, legal: list[Card]) -> list[Card]:
        """One of each row of cards between which nobody else has any: the highest."""
        between = self.worlds.unseen | self.worlds.trick.cards
        choices: list[Card] = []
        for card in legal:
            if (
                choices
                and card.suit == choices[-1].suit
                and QUEEN_OF_SPADES not in (card, choices[-1])
            ):
                higher = ~(2 * BITS[choices[-1]] - 1)
                if not between & higher & (BITS[card] - 1):
                    choices.pop()
            choices.append(card)
        return choices

    def cost(self, observation: Observation, hands: list[int], card: int) -> float:
        """Return this seat's points if it plays ``card`` and then all follow rules of thumb."""
        hands, points = hands[:], list(observation.points)
        hands[self.seat] ^= card
        self.table.play_out(
            hands,
            points,
            self.worlds.trick.joined(self.seat, card),
            (self.seat + 1) % self.players,
            broken=observation.hearts_broken,
            strict=self.worlds.strict and self.worlds.tricks == 0,
        )
        if _ALL in points:
            return self.moon if points[self.seat] == _ALL else self.others_moon
        return float(points[self.seat])
