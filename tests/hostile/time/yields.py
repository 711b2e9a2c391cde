"""Offers the processor to others for ever, so that it would seem to wait.

Verdict: timeout
"""

import os

from hostile import Hostile


class Yields(Hostile):
    def attack(self, observation):
        while True:
            os.sched_yield()
