"""Nests generators so deeply that to take one value uses up the stack.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=15.0 memory_mib=256
"""

import sys

from hostile import Hostile


def outer(inner):
    yield from inner


class NestedGenerators(Hostile):
    def attack(self, observation):
        sys.setrecursionlimit(1 << 30)
        nest = iter([0])
        for _ in range(200_000):
            nest = outer(nest)
        return next(nest)
