"""Discards a card that is not in its hand.

Verdict: illegal
"""

from hostile import Hostile

from firebox.hanabi import Discard


class IllegalMove(Hostile):
    def attack(self, observation):
        return Discard(-1)
