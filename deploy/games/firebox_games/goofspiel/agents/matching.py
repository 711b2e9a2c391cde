"""Matching: the card of the prize's value, or the next one above it.

Sheldon Ross, “Goofspiel: the game of pure strategy” (1971), shows that matching is best against
somebody who bids at random.
"""

from firebox import Agent
from firebox.any_game import Action, Observation


class Matching(Agent):
    """Bids the lowest card that is at least the prize, or its highest."""

    def act(self, observation: Observation) -> Action:
        legal = sorted(observation.legal_actions, key=lambda action: action.card)
        return next((action for action in legal if action.card >= observation.prize), legal[-1])
