"""Makes a list of a gibibyte.

Verdict: memory
"""

from hostile import Hostile


class HugeList(Hostile):
    def attack(self, observation):
        return [0] * (1 << 27)
