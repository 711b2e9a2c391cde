"""Raises the last of ten thousand exceptions, each the reason for the next.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

from hostile import Hostile


class ExceptionChain(Hostile):
    def attack(self, observation):
        last = None
        for k in range(10_000):
            error = ValueError(k)
            error.__cause__ = last
            last = error
        raise last
