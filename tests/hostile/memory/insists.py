"""Catches every MemoryError and tries again, for ever.

Verdict: timeout
"""

from hostile import Hostile


class Insists(Hostile):
    def attack(self, observation):
        kept = []
        while True:
            try:
                kept.append(bytes(1 << 20))
            except MemoryError:
                continue
