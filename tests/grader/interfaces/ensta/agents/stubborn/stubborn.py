"""Tries in its first turns every move that is not valid, is asked again, and finds all in moves."""

import hanabi

ALWAYS = ["d1", "d0", "d-1", "d6", "d", "dx", "p0", "p6", "p", "c", "c6", "c0", "cX", "c1A", "cR0",
          "c19", "c1Z", "x", "lfile", ">print(1)", "", "hello", "s01"]  # fmt: skip


class Stubborn(hanabi.ai.AI):
    def __init__(self, game):
        super().__init__(game)
        self.tried = []
        self.turn = 0

    def play(self):
        game = self.game
        assert game.moves == self.tried
        move = self.next_move()
        self.tried.append(move)
        return move

    def next_move(self):
        game = self.game
        if len(self.tried) < len(ALWAYS):
            assert game.players[0] == "Alice"
            return ALWAYS[len(self.tried)]
        if game.blue_coins:
            return f"c{game.hands[1].cards[0].number}"
        if not self.tried[-1].startswith("cR"):
            return "cR1"
        return "d1"
