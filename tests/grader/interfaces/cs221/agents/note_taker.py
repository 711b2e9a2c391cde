"""Keeps nothing but what it writes into ``infer``, which has to move with the cards."""

from agent import Agent


class NoteTaker(Agent):
    def registerInitialState(self, gameState):
        hand = gameState.data.agentState[self.index]
        hand.infer = [("dealt", i) for i in range(4)]
        self.expected = list(hand.infer)
        self.turns = 0

    def inference(self, gameState, agentIndex, action):
        hand = gameState.data.agentState[self.index]
        if agentIndex == self.index and action[0] in ("play", "discard"):
            self.expected.pop(action[1])
            if len(hand.cards) == 4:
                assert hand.infer[-1] is None
                hand.infer[-1] = ("drawn", self.turns)
                self.expected.append(hand.infer[-1])
        if action[0] in ("color", "number") and action[1] == self.index:
            half = int(action[0] == "number")
            told = [card for card, known in zip(hand.peek(), hand.know) if known[half]]
            assert any(card[half] == action[2] for card in told)
        assert hand.infer == self.expected

    def getAction(self, gameState):
        self.turns += 1
        actions = gameState.getLegalActions(self.index)
        wanted = ["play", "number", "color", "discard"][self.turns % 4]
        return next((a for a in actions if a[0] == wanted), actions[0])
