"""Stops reading what it is sent.

Verdict: idle
"""

import time

from hostile import Hostile


class NeverReads(Hostile):
    def attack(self, observation):
        time.sleep(600)
