"""Compares what it is asked in ``asked.py`` at its turns, and plays the first legal clue."""

# ruff: noqa: F403, F405 - star imports are what is tested

from asked import AT_THE_TABLE, FACTS
from facts import differences, told
from names import *


class Asker(Player):
    asked = False

    def registerInitialState(self, gameState):
        gameState.data.agentState[self.index].infer[1] = "told"

    def inference(self, gameState, agentIndex, action):
        assert gameState.data.agentState[self.index].infer[1] in ("told", "", None)
        gameState.data.agentState[self.index].infer[1] = ""

    def getAction(self, gameState):
        if not self.asked and self.index == 0:
            names = {**globals(), "seen": gameState, "me": self}
            found = differences({**FACTS, **AT_THE_TABLE}, names)
            if found:
                raise RuntimeError("\n".join(found)[:1500])
        self.asked = True
        return gameState.deepCopy().getLegalActions(self.index)[-1]
