"""Relative imports and plain ones, as from inside the package and from beside it: one module."""

import ai
import deck

import hanabi.deck

from . import deck as same
from .helpers import first_playable


class Player(ai.AI):
    def play(self):
        game = self.game
        assert deck is same is hanabi.deck
        assert isinstance(game, deck.Game)
        for number, card in enumerate(game.current_hand.cards, start=1):
            if card.told >= 2 and card.color_clue and card.number_clue:
                if game.piles[card.color] + 1 == card.number:
                    return f"p{number}"
        if game.blue_coins:
            card = first_playable(game)
            if card is not None and not card.number_clue:
                return f"c{card.number}"
            if card is not None and not card.color_clue:
                return f"c{str(card.color)[0]}"
        return "d1" if game.blue_coins < 8 else f"c{self.other_hands[0].cards[0].number}"
