"""Is called ``agent.py`` itself, as uploads of one file are, and imports ``agent``."""

import random

from agent import Agent
from util import Counter, chooseFromDistribution, flipCoin, normalize


class Renamed(Agent):
    def getAction(self, gameState):
        actions = gameState.getLegalActions(self.index)
        if flipCoin(0.5):
            return random.choice(actions)
        return chooseFromDistribution(normalize(Counter(dict.fromkeys(actions, 2))))
