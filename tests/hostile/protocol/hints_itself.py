"""Gives a hint to itself, which would name its own cards.

Verdict: illegal
"""

from hostile import Hostile

from firebox.hanabi import Hint


class HintsItself(Hostile):
    def attack(self, observation):
        return Hint(observation.seat, rank=1)
