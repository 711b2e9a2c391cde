"""Fills memory with small objects, each of them far below any limit.

Verdict: memory
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

from hostile import Hostile


class SmallObjects(Hostile):
    def attack(self, observation):
        kept = {}
        while True:
            kept[len(kept)] = str(len(kept))
