"""Ends in the middle of the game as if all were well.

Verdict: crash
"""

import os

from hostile import Hostile


class ExitsQuietly(Hostile):
    def attack(self, observation):
        os._exit(0)
