"""An agent for Lin and Xu's simulator that does next to nothing."""

from simulator import Action, Agent, GameState


class Light(Agent):
    """Clues the next agent's first number while it can, else discards its oldest card."""

    def getAction(self, gameState: GameState) -> Action:
        """Choose an action."""
        if gameState.data.clue > 0:
            receiver = (self.index + 1) % gameState.getNumAgents()
            return ("number", receiver, gameState.data.agentState[receiver].cards[0][1])
        return ("discard", 0)
