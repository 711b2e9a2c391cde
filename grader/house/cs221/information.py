"""Clues tell numbers as in ``informationless``, and what they point at counts as well."""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, GameState

from ._shared import may_fit, safest_discard, touched
from .informationless import InformationlessStrategy


class InformationStrategy(InformationlessStrategy):
    """Also plays and discards by what clues say of its cards."""

    def getAction(self, gameState: GameState) -> Action:
        """Play what is sure; else what was told and is possible; else tell; else discard."""
        hand = gameState.data.agentState[self.index]
        known = hand.peek()
        for i, card in enumerate(known):
            if gameState.isPlayable(card):
                return ("play", i)
        for i, card in enumerate(known):
            if hand.infer[i] and may_fit(gameState, card):
                return ("play", i)
        clue = self.clue(gameState)
        return safest_discard(gameState, self.index) if clue is None else clue

    def review(self, gameState: GameState, action: Action) -> None:
        """Keep a hint as long as its card, by its clues, can be one that fits."""
        if action[0] == "play":
            hand = gameState.data.agentState[self.index]
            for i, card in enumerate(hand.peek()):
                if card == (None, None) or not may_fit(gameState, card):
                    hand.infer[i] = None

    def choose(self, gameState: GameState, fitting: list[Action]) -> Action:
        """The clue that tells something new of most cards."""

        def news(clue: Action) -> int:
            hand, half = gameState.data.agentState[clue[1]], int(clue[0] == "number")
            return sum(not hand.know[i][half] for i in touched(gameState, clue))

        return max(fitting, key=news)
