"""Any legal action, each as likely as the others."""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, Agent, GameState
from grader.interfaces.cs221_python.firebox_cs221.util import random


class RandomLegalStrategy(Agent):
    """Knows the rules and nothing else."""

    def getAction(self, gameState: GameState) -> Action:
        """Choose blindly."""
        action: Action = random.choice(gameState.getLegalActions(self.index))
        return action
