"""Needs mode team: each seat notes for the others, through self, what they hold and may play."""

from hanabi.ai import AI


class Partners(AI):
    def __init__(self, game):
        super().__init__(game)
        self.advice = {}

    def play(self):
        game = self.game
        for name, hand in zip(game.players[1:], self.other_hands):
            for number, card in enumerate(hand.cards, start=1):
                if game.piles[card.color] + 1 == card.number:
                    self.advice[name] = f"p{number}", str(card)
        move, card = self.advice.pop(game.players[0], (None, None))
        if move and game.piles[self.color(card)] + 1 == int(card[1]):
            return move
        if game.blue_coins:
            return f"c{self.other_hands[0].cards[0].number}"
        return "d1"

    def color(self, card):
        return next(color for color in self.game.piles if str(color)[0] == card[0])
