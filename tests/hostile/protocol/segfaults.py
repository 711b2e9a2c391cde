"""Reads from address zero.

Verdict: crash
"""

import ctypes

from hostile import Hostile


class Segfaults(Hostile):
    def attack(self, observation):
        ctypes.string_at(0)
