"""Played with a module of its own: lists as clues, a memory on the game, plain attributes."""

from hanabi import ai


class Ours(ai.AI):
    def play(self):
        game = self.game
        assert game.only_robots
        assert game.players[0] in ("Anna", "Bert", "Chris", "Doris", "Emil")
        assert game.current_player_name == game.players[0]
        assert game.current_hand is game.hands[0]
        assert game.score == sum(game.piles.values())
        cards = game.current_hand.cards
        for number, card in enumerate(cards):
            if card.color is None or card.number != card.number:
                assert cards.index(card) == number
        game.memoire[len(game.moves)] = game.current_player_name
        for number, card in enumerate(cards, start=1):
            assert card.color is None or card.color_clue[0]
            assert len(card.color_clue) == len(card.number_clue) == 2
            if card.number_clue[0]:
                assert 0 < card.number_clue[1] <= len(game.moves)
            if card.number_clue[0] and card.color_clue[0]:
                if game.piles[card.color] + 1 == int(card.number_clue[0]):
                    return f"p{number}"
        if game.blue_coins:
            for card in self.other_hands[0].cards:
                if game.piles[card.color] + 1 == card.number:
                    if not card.number_clue[0]:
                        return f"c{card.number}"
                    if not card.color_clue[0]:
                        return f"c{str(card.color)[0]}"
        return "d1" if game.blue_coins < 8 else f"c{self.other_hands[0].cards[0].number}"


if __name__ == "__main__":
    ai.run()
