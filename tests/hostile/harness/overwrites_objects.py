"""Writes zeros over the interpreter's own objects.

Verdict: crash
"""

import ctypes

from hostile import Hostile


class OverwritesObjects(Hostile):
    def attack(self, observation):
        ctypes.memset(id(dict), 0, 400)
        return {}
