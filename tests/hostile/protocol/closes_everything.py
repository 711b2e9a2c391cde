"""Closes every descriptor it has and computes for ever.

Verdict: crash
"""

import os

from hostile import Hostile, forever


class ClosesEverything(Hostile):
    def attack(self, observation):
        os.closerange(0, 1024)
        forever()
