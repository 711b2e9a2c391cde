"""Starts a process with the C library's vfork.

Verdict: forbidden
"""

import ctypes

from hostile import Hostile


class Vfork(Hostile):
    def attack(self, observation):
        ctypes.CDLL(None).vfork()
