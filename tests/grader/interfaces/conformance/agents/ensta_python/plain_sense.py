"""Plain sense, for ENSTA's module. The rules of this strategy are in ``../README.md``."""

import hanabi

LETTERS = "RYGWB"


class PlainSense(hanabi.ai.AI):
    def __init__(self, game):
        super().__init__(game)
        self.most_coins = game.blue_coins

    def play(self):
        game = self.game
        move = self.sure_play()
        if move is None and game.blue_coins > 0:
            move = self.clue_playable()
        if move is None and game.blue_coins == 0 and self.misplays() < 2:
            move = self.gamble()
        if move is None and game.blue_coins < self.most_coins:
            move = self.discard()
        return move or self.clue_any()

    def misplays(self):
        return sum(move.startswith("p") for move in self.game.moves) - self.game.score

    def tops(self):
        return {str(color)[0]: top for color, top in self.game.piles.items()}

    def mine(self):
        return enumerate(self.game.current_hand.cards, start=1)

    def sure_play(self):
        tops = self.tops()
        for number, card in self.mine():
            if card.number_clue:
                colors = [card.color_clue] if card.color_clue else LETTERS
                if all(tops[color] == int(card.number_clue) - 1 for color in colors):
                    return f"p{number}"
        return None

    def clue_playable(self):
        game = self.game
        for offset, hand in enumerate(self.other_hands, start=1):
            for card in hand.cards:
                if game.piles[card.color] + 1 == card.number:
                    if not card.number_clue:
                        return f"c{card.number}{game.players[offset][0]}"
                    if not card.color_clue:
                        return f"c{str(card)[0]}{offset}"
        return None

    def gamble(self):
        tops = self.tops().values()
        for number, card in self.mine():
            if card.number_clue and not card.color_clue and int(card.number_clue) - 1 in tops:
                return f"p{number}"
        return None

    def discard(self):
        tops = self.tops()
        for number, card in self.mine():
            told = card.number_clue and card.color_clue
            if told and tops[card.color_clue] >= int(card.number_clue):
                return f"d{number}"
        for number, card in self.mine():
            if not card.number_clue and not card.color_clue:
                return f"d{number}"
        return "d1"

    def clue_any(self):
        held = [str(card.color)[0] for card in self.other_hands[0].cards]
        return "c" + next(color for color in LETTERS if color in held)
