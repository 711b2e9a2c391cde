"""Guesses the purpose of clues: the oldest card that a clue points at should be played."""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, Agent, GameState
from grader.interfaces.cs221_python.firebox_cs221.util import random

from ._shared import clues, is_clue, may_fit, others, safest_discard, touched


class StateGuessStrategy(Agent):
    """Assumes that every clue has a purpose, and gives such clues where it can."""

    def inference(self, gameState: GameState, agentIndex: int, action: Action) -> None:
        """Note the card that a clue to oneself was probably given for."""
        del agentIndex
        if is_clue(action) and action[1] == self.index:
            hand = gameState.data.agentState[self.index]
            hand.infer[touched(gameState, action)[0]] = True

    def getAction(self, gameState: GameState) -> Action:
        """Play what is certain; else what is guessed; else tell; else discard."""
        hand = gameState.data.agentState[self.index]
        known = hand.peek()
        for i, card in enumerate(known):
            if gameState.isPlayable(card):
                return ("play", i)
        for i, card in enumerate(known):
            if hand.infer[i] and may_fit(gameState, card):
                return ("play", i)
        if gameState.data.clue > 0:
            return self._clue(gameState)
        return safest_discard(gameState, self.index)

    def _clue(self, gameState: GameState) -> Action:
        possible = clues(gameState, self.index)
        for player in others(gameState, self.index):
            hand = gameState.data.agentState[player]
            known = hand.peek()
            fitting = []
            for clue in (option for option in possible if option[1] == player):
                at = touched(gameState, clue)
                if gameState.isPlayable(hand.cards[at[0]]) and not gameState.isPlayable(
                    known[at[0]]
                ):
                    fitting.append((hand.cards[at[0]][1], len(at), clue))
            if fitting:
                return min(fitting)[2]
        anything: Action = random.choice(possible)
        return anything
