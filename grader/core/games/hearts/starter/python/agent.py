"""My Hearts agent. It already plays; now make it better."""

from firebox import Agent, Context
from firebox.hearts import QUEEN_OF_SPADES, Action, Card, Observation, Pass, Play


class MyAgent(Agent):
    """Ducks under the trick if it can, and discards points when it can't follow suit."""

    def start(self, context: Context) -> None:
        """Called once, before the game. One object plays one seat in all hands of a game."""
        self.random = context.random  # draw from this, and a game can be played again exactly

    def act(self, observation: Observation) -> Action:
        """Called whenever it is your turn, to pass a card or to play one."""
        if observation.is_passing:
            return Pass(highest(observation.hand))
        cards = [action.card for action in observation.legal_actions]
        if observation.suit_led is None:
            return Play(lowest(cards))
        if cards[0].suit == observation.suit_led:
            return Play(self.follow(observation, cards))
        return Play(self.discard(cards))

    def follow(self, observation: Observation, cards: list[Card]) -> Card:
        """Return the highest card that does not take the trick; if all of them do, the lowest."""
        best = observation.winning()
        below = [card for card in cards if best is not None and card.rank < best.card.rank]
        return highest(below) if below else lowest(cards)

    def discard(self, cards: list[Card]) -> Card:
        """Return the queen of spades, else the highest heart, else the highest card."""
        if QUEEN_OF_SPADES in cards:
            return QUEEN_OF_SPADES
        hearts = [card for card in cards if card.suit == "H"]
        return highest(hearts or cards)


def highest(cards: list[Card] | tuple[Card, ...]) -> Card:
    """Return the card with the highest rank."""
    return max(cards, key=lambda card: card.rank)


def lowest(cards: list[Card] | tuple[Card, ...]) -> Card:
    """Return the card with the lowest rank."""
    return min(cards, key=lambda card: card.rank)
