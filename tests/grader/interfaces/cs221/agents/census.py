"""Looks at everything that there is, and insists on what it should be."""

from math import inf

from agent import Agent


class Census(Agent):
    def registerInitialState(self, gameState):
        self.seen = 0

    def inference(self, gameState, agentIndex, action):
        self.seen += 1
        assert 0 <= agentIndex < gameState.rule.numAgent
        assert action[0] in ("play", "discard", "color", "number")

    def getAction(self, gameState):
        data = gameState.data
        self.countCards(gameState)
        for hand in data.agentState:
            assert len(hand.cards) == len(hand.know) == len(hand.infer) == len(hand.peek())
            for (color, number), known, card in zip(hand.peek(), hand.know, hand.cards):
                assert known == (color is not None, number is not None)
                assert color in (None, card[0])
                assert number in (None, card[1])
        assert all(data.trash.check(card) == data.trash.state[card] for card in data.deck.state)
        for color, top in enumerate(data.table.state):
            assert all(data.table.check((color, n)) == (n <= top) for n in range(5))
            assert all(data.table.playable((color, n)) == (n == top + 1) for n in range(5))
        actions = gameState.getLegalActions(self.index)
        return actions[self.seen % len(actions)]

    def countCards(self, gameState):
        """All fifty are somewhere: hidden from me, in the trash, on the table, in a hand."""
        data = gameState.data
        mine = data.agentState[self.index].cards
        others = [
            c for i, hand in enumerate(data.agentState) if i != self.index for c in hand.cards
        ]
        plain = [card for card in mine if None not in card]
        gone = sum(data.trash.state.values()) + gameState.getScore()
        hidden = sum(data.deck.state.values())
        assert hidden + gone + len(others) + len(plain) == 50
        assert hidden == len(data.deck) + len(mine) - len(plain)
        assert data.deck.isEmpty() == (len(data.deck) == 0)
        assert data.additionalTerms == inf or data.deck.isEmpty()
