"""Honest: decides by clues, piles, discards and the hands of others. Any mode, any number of seats."""

import hanabi


class Careful(hanabi.ai.AI):
    def play(self):
        game = self.game
        for number, card in enumerate(game.current_hand.cards, start=1):
            if self.surely_playable(card):
                return f"p{number}"
        if game.blue_coins:
            for offset, hand in enumerate(self.other_hands, start=1):
                for card in hand.cards:
                    if game.piles[card.color] + 1 == card.number:
                        if not card.number_clue:
                            return f"c{card.number}{game.players[offset][0]}"
                        if not card.color_clue:
                            return f"c{str(card.color)[0]}{game.players[offset][0]}"
        if game.blue_coins < 8:
            return f"d{self.least_useful()}"
        return f"c{self.other_players_cards[0].number}"

    def surely_playable(self, card):
        game = self.game
        if card.number_clue and len(set(game.piles.values())) == 1:
            return int(card.number_clue) == list(game.piles.values())[0] + 1
        return (
            card.number_clue
            and card.color_clue
            and game.piles[card.color] + 1 == int(card.number_clue)
        )

    def least_useful(self):
        game = self.game
        for number, card in enumerate(game.current_hand.cards, start=1):
            if card.number_clue and int(card.number_clue) <= min(game.piles.values()):
                return number
        for number, card in enumerate(game.current_hand.cards, start=1):
            if not card.number_clue and not card.color_clue:
                return number
        return 1
