"""Computes for four fifths of the limit on some of its turns, as it may.

Verdict: contained
"""

import time

from hostile import Hostile, honest


class AlmostTooSlow(Hostile):
    def act(self, observation):
        self.turns += 1
        if self.armed and self.turns in {1, 2}:
            until = time.process_time() + 0.24
            while time.process_time() < until:
                pass
        return honest(observation)
