"""My robot for Hanabi. It already plays; now make it better."""

from hanabi.ai import AI


class Robot(AI):
    """Plays a card that must fit, else clues one that fits, else discards its oldest card."""

    def play(self):
        """Called whenever it is a player's turn; returns a move."""
        move = self.play_what_fits()
        if move is None and self.game.blue_coins > 0:
            move = self.clue_what_fits()
        if move is None and self.game.blue_coins < 8:
            move = self.discard_the_oldest()
        return move or self.clue_anything()

    def fits(self, card):
        """Return whether the card comes next on its pile; False if it is not fully known."""
        return self.game.piles[card.color] + 1 == card.number

    def play_what_fits(self):
        """Play one's own card if it is known to fit, or if its number fits every pile."""
        next_numbers = {top + 1 for top in self.game.piles.values()}
        for number, card in enumerate(self.game.current_hand.cards, start=1):
            any_color_will_do = next_numbers == {card.number}
            if self.fits(card) or any_color_will_do:
                return f"p{number}"
        return None

    def clue_what_fits(self):
        """Tell another player, the next one first, something new about a card that fits."""
        for offset, hand in enumerate(self.other_hands, start=1):
            player = self.game.players[offset][0]
            for card in hand.cards:
                if self.fits(card) and not card.number_clue:
                    return f"c{card.number}{player}"
                if self.fits(card) and not card.color_clue:
                    return f"c{str(card.color)[0]}{player}"
        return None

    def discard_the_oldest(self):
        """Discard the oldest card that no clue has touched, or else the oldest of all."""
        for number, card in enumerate(self.game.current_hand.cards, start=1):
            if not card.color_clue and not card.number_clue:
                return f"d{number}"
        return "d1"

    def clue_anything(self):
        """Clue the number of the next player's oldest card."""
        return f"c{self.other_hands[0].cards[0].number}"
