"""My <<title>> agent. It already plays; now make it better."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation


class MyAgent(Agent):
    """Takes the first legal action."""

    def start(self, context: Context) -> None:
        """Called once, before the game. One object plays one seat of one game."""
        self.seat = context.seat
        self.random = context.random  # draw from this, and a game can be played again exactly

    def act(self, observation: Observation) -> Action:
        """Called whenever it is your turn."""
        return observation.legal_actions[0]
