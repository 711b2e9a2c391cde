"""Adds up numbers inside a single call of the library, where no handler runs.

Verdict: timeout
"""

from hostile import Hostile


class LongSum(Hostile):
    def attack(self, observation):
        return sum(range(10**12))
