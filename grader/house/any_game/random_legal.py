"""Any legal action of any game, each as likely as the others."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation


class RandomLegal(Agent):
    """Chooses among the legal actions without looking at anything."""

    def start(self, context: Context) -> None:
        """Keep the generator."""
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        return self.random.choice(observation.legal_actions)
