"""Recurses without end in C code, until the stack is used up.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import sys

from hostile import Hostile


class StackOverflow(Hostile):
    def attack(self, observation):
        sys.setrecursionlimit(1 << 30)
        nest = []
        for _ in range(100_000):
            nest = [nest]
        return repr(nest)
