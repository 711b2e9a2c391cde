"""Careful: what everybody does who has just learnt the rules.

It passes its highest cards and leads its lowest, plays as high as it can below the card that takes
the trick, and discards the queen, then high hearts, when it can't follow. It looks at one trick
only: it counts nothing, does not fear high spades before the queen is there, and sees no moon rise.
"""

from firebox import Agent
from firebox.hearts import QUEEN_OF_SPADES, Action, Card, Observation, Pass, Play

from ._table import highest, is_last, lowest, of_suit


class Careful(Agent):
    """Plays each trick for itself."""

    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            return Pass(highest(observation.hand))
        legal = [action.card for action in observation.legal_actions]
        suit = observation.suit_led
        if suit is None:
            return Play(lowest(legal))
        if legal[0].suit == suit:
            return Play(self.follow(observation, legal))
        return Play(self.discard(legal))

    def follow(self, observation: Observation, legal: list[Card]) -> Card:
        """Below the winning card if possible; else take the trick high if it is last, or low."""
        best = observation.winning()
        assert best is not None  # noqa: S101 - a suit was led
        below = [card for card in legal if card.rank < best.card.rank]
        if QUEEN_OF_SPADES in below:
            return QUEEN_OF_SPADES
        if below:
            return highest(below)
        return highest(legal) if is_last(observation) else lowest(legal)

    def discard(self, legal: list[Card]) -> Card:
        """The queen, else the highest heart, else the highest card."""
        if QUEEN_OF_SPADES in legal:
            return QUEEN_OF_SPADES
        return highest(of_suit(legal, "H") or legal)
