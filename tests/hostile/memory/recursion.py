"""Recurses without end in Python, after lifting the interpreter's own limit.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=15.0 memory_mib=64
"""

import sys

from hostile import Hostile


class Recursion(Hostile):
    def attack(self, observation):
        sys.setrecursionlimit(1 << 30)
        return self.attack(observation)
