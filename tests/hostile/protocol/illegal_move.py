"""Discards a card that is not in its hand.

Verdict: illegal
"""

from firebox.hanabi import Discard
from hostile import Hostile


class IllegalMove(Hostile):
    def attack(self, observation):
        return Discard(-1)
