"""Needs mode team: seats tell one another through attributes that they hang on cards."""

import hanabi.ai


class Marker(hanabi.ai.AI):
    def play(self):
        game = self.game
        for hand in self.other_hands:
            for card in hand.cards:
                card.seen = str(card)
                card.seen_by = [*getattr(card, "seen_by", []), game.current_player_name]
        for number, card in enumerate(game.current_hand.cards, start=1):
            seen = getattr(card, "seen", None)
            if seen and game.piles[self.color(seen)] + 1 == int(seen[1]):
                assert game.current_player_name not in card.seen_by
                return f"p{number}"
        return "d1" if game.blue_coins < 8 else f"c{self.other_hands[0].cards[0].number}"

    def color(self, seen):
        return next(color for color in self.game.piles if str(color).startswith(seen[0]))
