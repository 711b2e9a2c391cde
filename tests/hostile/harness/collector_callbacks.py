"""Runs code whenever the interpreter collects garbage, and fails in it.

Verdict: contained
"""

import gc
import sys

from hostile import Hostile


class CollectorCallbacks(Hostile):
    def attack(self, observation):
        def fail(phase, info):
            raise SystemExit(0)

        sys.unraisablehook = fail
        gc.callbacks.append(fail)
        gc.set_threshold(1)
        gc.collect()
