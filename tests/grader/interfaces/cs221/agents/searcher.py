"""Looks one action ahead: every legal action has a successor, which changes the state it is of."""

from game import Agent, GameState


def value(state):
    return state.getScore() + 0.1 * state.data.clue


class Searcher(Agent):
    def getAction(self, gameState):
        assert isinstance(gameState, GameState)
        before = str(gameState)
        best = None
        for action in gameState.getLegalActions(self.index):
            successor = gameState.deepCopy().generateSuccessor(self.index, action)
            reply = (self.index + 1) % gameState.getNumAgents()
            if not successor.isEnd():
                second = successor.getLegalActions(reply)[0]
                successor.generateSuccessor(reply, second)
            if best is None or value(successor) > best[0]:
                best = (value(successor), action)
        twin = gameState.deepCopy()
        twin.data.clue = 0
        twin.data.table.state[0] = 4
        twin.data.agentState[self.index].pop(0)
        twin.data.trash.state[(0, 0)] += 1
        twin.data.deck.state[(0, 0)] -= 1
        assert str(gameState) == before
        assert gameState.generateSuccessor(self.index, best[1]).data is gameState.data
        assert str(gameState) != before
        return best[1]
