"""Plays by the three tests, also of partial cards, and by the statistics of hands."""

from agent import Agent


class Certain(Agent):
    def getAction(self, gameState):
        known = gameState.data.agentState[self.index].peek()
        for i, card in enumerate(known):
            self.check(gameState, card)
            if gameState.isPlayable(card):
                return ("play", i)
        for i, card in enumerate(known):
            if gameState.isDiscardable(card):
                return ("discard", i)
        if gameState.data.clue > 0:
            for player in range(gameState.getNumAgents()):
                if player != self.index:
                    colors, numbers = gameState.getCardStatistics(player)
                    hand = gameState.data.agentState[player]
                    self.agree(hand, colors, numbers)
                    for number, where in numbers.items():
                        if any(gameState.isPlayable(hand.cards[i]) for i in where):
                            return ("number", player, number)
            return (
                "color",
                player - 1 if player == self.index else player,
                self.any(gameState, player),
            )
        safe = [i for i, card in enumerate(known) if not gameState.isDangerous(card)]
        return ("discard", (safe or [0])[0])

    def any(self, gameState, player):
        if player == self.index:
            player -= 1
        return min(gameState.getCardStatistics(player)[0])

    def check(self, gameState, card):
        """A test holds for a partial card if it holds for all that the card can still be."""
        copies, trash, table = gameState.rule.numNumber, gameState.data.trash, gameState.data.table
        possible = [
            (c, n)
            for c in range(5)
            for n in range(5)
            if card[0] in (None, c)
            and card[1] in (None, n)
            and trash.check((c, n)) + table.check((c, n)) < copies[n]
        ]
        if None in card:
            assert gameState.isPlayable(card) == all(map(table.playable, possible))
            assert gameState.isDiscardable(card) == all(map(table.check, possible))
        last = [not table.check(c) and trash.check(c) >= copies[c[1]] - 1 for c in possible]
        if None in card:
            assert gameState.isDangerous(card) == all(last)

    def agree(self, hand, colors, numbers):
        for i, (color, number) in enumerate(hand.cards):
            assert i in colors[color]
            assert i in numbers[number]
        assert list(colors) == sorted(colors) and 99 not in colors
        assert list(numbers) == sorted(numbers) and 99 not in numbers
