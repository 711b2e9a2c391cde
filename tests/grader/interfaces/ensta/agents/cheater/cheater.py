"""Looks at its own cards and at the deck: plays what can be played, and finds nothing there."""

import hanabi


class Cheater(hanabi.ai.AI):
    def play(self):
        game = self.game
        for number, card in enumerate(game.current_hand.cards, start=1):
            if game.piles[card.color] + 1 == card.number:
                return f"p{number}"
        for color in game.piles:
            wanted = f"{str(color)[0]}{game.piles[color] + 1}"
            for number, card in enumerate(game.current_hand.cards, start=1):
                if card == wanted or str(card) == wanted:
                    return f"p{number}"
            if game.deck.cards and game.deck.cards[0] == wanted:
                return "p1"
        return "d1" if game.blue_coins < 8 else f"c{self.other_hands[0].cards[0].number}"
