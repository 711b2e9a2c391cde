"""Careful: avoids points trick by trick, by the rules of thumb that every player learns first.

Passes on high spades, high hearts and short suits; ducks under what was played where it can, takes
tricks that cost nothing with its highest card, and throws the queen, then high hearts, then its
most dangerous card when it can't follow. It counts nothing and does not see a moon rise.
"""

from firebox import Agent
from firebox.hearts import QUEEN_OF_SPADES, Action, Card, Observation, Pass, Play

from ._table import (
    QUEEN_RANK,
    highest,
    is_last,
    length,
    lowest,
    of_suit,
    queen_is_out,
    to_pass,
    trick_points,
)


class Careful(Agent):
    """Plays each trick for itself."""

    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            return Pass(to_pass(observation))
        legal = [action.card for action in observation.legal_actions]
        if len(legal) == 1:
            return Play(legal[0])
        return Play(self.choose(observation, legal))

    def choose(self, observation: Observation, legal: list[Card]) -> Card:
        """One of several cards that are allowed."""
        suit = observation.suit_led
        if suit is None:
            return self.lead(observation, legal)
        if legal[0].suit == suit:
            return self.follow(observation, legal)
        return self.throw(observation, legal)

    def lead(self, observation: Observation, legal: list[Card]) -> Card:
        """Low, from a short suit; spades below the queen to drive her out, if it has not her."""
        hand = observation.hand
        if queen_is_out(observation) and QUEEN_OF_SPADES not in hand:
            spades = [card for card in of_suit(legal, "S") if card.rank < QUEEN_RANK]
            if spades:
                return highest(spades)
        counts = length(hand)
        safe = [card for card in legal if card.suit != "S" or card.rank < QUEEN_RANK] or legal
        return min(safe, key=lambda card: (card.rank, counts[card.suit], card.suit))

    def follow(self, observation: Observation, legal: list[Card]) -> Card:
        """Below the winning card if possible; else take the trick high if it is last, or low."""
        best = observation.winning()
        assert best is not None  # noqa: S101 - a suit was led
        below = [card for card in legal if card.rank < best.card.rank]
        if QUEEN_OF_SPADES in below:
            return QUEEN_OF_SPADES
        costs = trick_points(observation)
        if is_last(observation) and not costs:
            return highest([card for card in legal if card != QUEEN_OF_SPADES])
        if below:
            return highest(below)
        if is_last(observation):
            return highest([card for card in legal if card != QUEEN_OF_SPADES] or legal)
        if observation.tricks_played == 0:
            return highest(legal)
        return lowest([card for card in legal if card != QUEEN_OF_SPADES] or legal)

    def throw(self, observation: Observation, legal: list[Card]) -> Card:
        """The queen; high spades while she is out; high hearts; the highest of a short suit."""
        if QUEEN_OF_SPADES in legal:
            return QUEEN_OF_SPADES
        if queen_is_out(observation):
            spades = [card for card in of_suit(legal, "S") if card.rank > QUEEN_RANK]
            if spades:
                return highest(spades)
        hearts = of_suit(legal, "H")
        if hearts:
            return highest(hearts)
        counts = length(observation.hand)
        return max(legal, key=lambda card: (card.rank - counts[card.suit], card.rank, card.suit))
