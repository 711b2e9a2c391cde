"""Sees all cards, its own too: how far a strategy could get that knows everything but the deck."""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, Agent, GameState

from ._shared import clues, others


class OracleStrategy(Agent):
    """Plays cards that fit, discards useless cards, and passes time with clues."""

    def getAction(self, gameState: GameState) -> Action:
        """Lowest number first."""
        cards = gameState.data.agentState[self.index].cards
        fitting = [(card[1], i) for i, card in enumerate(cards) if gameState.isPlayable(card)]
        if fitting:
            return ("play", min(fitting)[1])
        useless = [i for i, card in enumerate(cards) if gameState.isDiscardable(card)]
        if useless and gameState.data.clue < gameState.rule.numClue:
            return ("discard", useless[0])
        if gameState.data.clue > 0:
            return clues(gameState, self.index)[0]
        return ("discard", self._sparable(gameState))

    def _sparable(self, gameState: GameState) -> int:
        hands = gameState.data.agentState
        seen = [card for player in others(gameState, self.index) for card in hands[player].cards]
        cards = hands[self.index].cards
        twice = [i for i, card in enumerate(cards) if card in seen or cards.count(card) > 1]
        if twice:
            return twice[0]
        safe = [i for i, card in enumerate(cards) if not gameState.isDangerous(card)]
        return max(safe or range(len(cards)), key=lambda i: int(cards[i][1]))
