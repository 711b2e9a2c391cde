"""Makes an object that makes another one whenever it is destroyed, and forbids to collect.

Verdict: contained
"""

import gc

from hostile import Hostile


class Phoenix:
    def __init__(self):
        self.me = self

    def __del__(self):
        Phoenix()


class ComesBack(Hostile):
    def attack(self, observation):
        gc.freeze()
        gc.set_threshold(1)
        for _ in range(100):
            Phoenix()
        gc.collect()
        gc.disable()
