class AI:
    def __init__(self, game):
        self.game = game

    @property
    def other_hands(self):
        return self.game.hands[1:]


class Cheater(AI):
    def play(self):
        return "d1"
