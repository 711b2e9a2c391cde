"""Sleeps through its turn.

Verdict: idle
"""

import time

from hostile import Hostile


class Sleeps(Hostile):
    def attack(self, observation):
        time.sleep(600)
