"""Compares what it is asked in ``asked.py``, in its first turn, and then plays on."""

# ruff: noqa: F403, F405 - star imports are what is tested

from asked import AT_THE_TABLE, FACTS
from facts import differences, printed, told
from names import *


class Agent(AI):
    def play(self):
        if self.game.moves:
            first = self.game.hands[1].cards[0].number
            return "d1" if self.game.blue_coins < 8 else f"c{first}"
        names = {**globals(), "self": self}
        found = differences({**FACTS, **AT_THE_TABLE}, names)
        if found:
            raise RuntimeError("\n".join(found)[:1500])
        return f"c{self.game.hands[1].cards[0].number}"
