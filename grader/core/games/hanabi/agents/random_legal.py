"""The floor of the ladder: any legal action, each as likely as the others."""

from firebox import Agent, Context
from firebox.hanabi import Action, Observation, Swap


class RandomLegal(Agent):
    """Chooses among the legal actions without looking at anything."""

    def start(self, context: Context) -> None:
        """Keep the generator."""
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        """Any action that ends the turn."""
        return self.random.choice([a for a in observation.legal_actions if not isinstance(a, Swap)])
