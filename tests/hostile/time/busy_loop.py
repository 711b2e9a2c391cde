"""Computes for ever.

Verdict: timeout
"""

from hostile import Hostile, forever


class BusyLoop(Hostile):
    def attack(self, observation):
        forever()
