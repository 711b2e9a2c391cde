"""Is called ``agent.py`` itself, as uploads of one file are, and imports ``agent``."""

import random

from agent import Agent
from util import Counter, chooseFromDistribution, flipCoin, normalize, raiseNotDefined


class Renamed(Agent):
    def getAction(self, gameState):
        self.count()
        actions = gameState.getLegalActions(self.index)
        if flipCoin(0.5):
            return random.choice(actions)
        return chooseFromDistribution(normalize(Counter(dict.fromkeys(actions, 2))))

    def count(self):
        counter = Counter()
        counter.incrementAll(["a", "b"], 1)
        counter["b"] += 2
        assert counter.argMax() == counter.sortedKeys()[0] == "b"
        assert counter.totalCount() == 4
        assert counter["nobody"] == 0
        twin = counter.copy()
        twin.divideAll(2)
        assert (twin["a"], twin["b"]) == (0.5, 1.5)
        twin.normalize()
        assert twin["b"] == 0.75
        assert (counter - twin)["a"] == 0.75
        assert (counter + twin)["b"] == 3.75
        assert counter * counter == 10
        assert normalize([1, 3]) == [0.25, 0.75]
        assert callable(raiseNotDefined)
