"""Computes for a quarter of the time and sleeps through the rest, to look like neither.

Verdict: idle
"""

import time

from hostile import Hostile


class HalfAsleep(Hostile):
    def attack(self, observation):
        while True:
            until = time.perf_counter() + 0.01
            while time.perf_counter() < until:
                pass
            time.sleep(0.03)
