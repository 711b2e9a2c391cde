"""Gives a hint to itself, which would name its own cards.

Verdict: illegal
"""

from firebox.hanabi import Hint
from hostile import Hostile


class HintsItself(Hostile):
    def attack(self, observation):
        return Hint(observation.seat, rank=1)
