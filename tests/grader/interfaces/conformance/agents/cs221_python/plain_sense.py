"""Plain sense, for Lin and Xu's simulator. The rules of this strategy are in ``../README.md``."""

from agent import Agent


class PlainSense(Agent):
    def registerInitialState(self, gameState):
        self.misplays = 0
        self.score = 0

    def inference(self, gameState, agentIndex, action):
        if action[0] == "play" and gameState.getScore() == self.score:
            self.misplays += 1
        self.score = gameState.getScore()

    def getAction(self, gameState):
        self.data = gameState.data
        self.hand = list(enumerate(self.data.agentState[self.index].peek()))
        action = self.surePlay()
        if action is None and self.data.clue > 0:
            action = self.cluePlayable(gameState)
        if action is None and self.data.clue == 0 and self.misplays < 2:
            action = self.gamble()
        if action is None and self.data.clue < gameState.rule.numClue:
            action = self.discard()
        return action or self.clueAny(gameState)

    def others(self, gameState):
        n = gameState.rule.numAgent
        return [(self.index + k) % n for k in range(1, n)]

    def surePlay(self):
        tops = self.data.table.state
        for i, (color, number) in self.hand:
            if number is not None:
                colors = range(5) if color is None else [color]
                if all(tops[c] == number - 1 for c in colors):
                    return ("play", i)
        return None

    def cluePlayable(self, gameState):
        for player in self.others(gameState):
            state = self.data.agentState[player]
            for card, (knowsColor, knowsNumber) in zip(state.cards, state.know):
                if gameState.isPlayable(card):
                    if not knowsNumber:
                        return ("number", player, card[1])
                    if not knowsColor:
                        return ("color", player, card[0])
        return None

    def gamble(self):
        for i, (color, number) in self.hand:
            if color is None and number is not None and number - 1 in self.data.table.state:
                return ("play", i)
        return None

    def discard(self):
        for i, card in self.hand:
            if None not in card and self.data.table.check(card):
                return ("discard", i)
        for i, card in self.hand:
            if card == (None, None):
                return ("discard", i)
        return ("discard", 0)

    def clueAny(self, gameState):
        player = self.others(gameState)[0]
        return ("color", player, min(card[0] for card in self.data.agentState[player].cards))
