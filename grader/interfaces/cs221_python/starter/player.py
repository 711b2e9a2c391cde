"""My agent for Lin and Xu's simulator. It already plays; now make it better."""

from simulator import Agent


class Starter(Agent):
    """Plays a card that must fit, else clues one that fits, else discards its oldest card."""

    def getAction(self, gameState):
        """Called whenever it is your turn; returns an action."""
        action = self.play_what_fits(gameState)
        if action is None and gameState.data.clue > 0:
            action = self.clue_what_fits(gameState)
        if action is None:
            action = self.discard_what_can_be_spared(gameState)
        return action

    def play_what_fits(self, gameState):
        """Play the first card that fits, whatever it can still be by its clues."""
        for i, card in enumerate(gameState.data.agentState[self.index].peek()):
            if gameState.isPlayable(card):
                return ("play", i)
        return None

    def clue_what_fits(self, gameState):
        """Tell another player, the next one first, something new about a card that fits."""
        players = gameState.getNumAgents()
        for distance in range(1, players):
            player = (self.index + distance) % players
            hand = gameState.data.agentState[player]
            for card, (knows_color, knows_number) in zip(hand.cards, hand.know):
                if gameState.isPlayable(card) and not knows_number:
                    return ("number", player, card[1])
                if gameState.isPlayable(card) and not knows_color:
                    return ("color", player, card[0])
        return None

    def discard_what_can_be_spared(self, gameState):
        """Discard a card that is on the table already, or else the oldest without a clue."""
        hand = gameState.data.agentState[self.index]
        for i, card in enumerate(hand.peek()):
            if gameState.isDiscardable(card):
                return ("discard", i)
        for i, known in enumerate(hand.know):
            if known == (False, False):
                return ("discard", i)
        return ("discard", 0)
