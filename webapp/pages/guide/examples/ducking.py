"""Stays just below the trick; discards the queen and high hearts when it can't follow suit."""

from firebox import Agent
from firebox.hearts import QUEEN_OF_SPADES, Action, Card, Observation, Pass, Play


class Ducking(Agent):
    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            return Pass(highest(list(observation.hand)))
        cards = [action.card for action in observation.legal_actions]
        best = observation.winning()
        if best is None:
            return Play(lowest(cards))
        if cards[0].suit != best.card.suit:
            return Play(self.discard(cards))
        below = [card for card in cards if card.rank < best.card.rank]
        return Play(highest(below) if below else lowest(cards))

    def discard(self, cards: list[Card]) -> Card:
        if QUEEN_OF_SPADES in cards:
            return QUEEN_OF_SPADES
        hearts = [card for card in cards if card.suit == "H"]
        return highest(hearts or cards)


def highest(cards: list[Card]) -> Card:
    return max(cards, key=lambda card: card.rank)


def lowest(cards: list[Card]) -> Card:
    return min(cards, key=lambda card: card.rank)
