"""Reads the processor time of other processes through their clocks.

Verdict: contained
"""

import time

from hostile import Hostile, refused


class ClocksOfOthers(Hostile):
    def attack(self, observation):
        for pid in range(1, 400):
            for kind in (0, 1, 2):
                clock = (~pid << 3) | kind
                refused(f"clock {kind} of {pid}", time.clock_gettime, clock)
