"""Raises an exception with a text of many mebibytes, to fill the log.

Verdict: crash
"""

from hostile import Hostile


class HugeException(Hostile):
    def attack(self, observation):
        raise ValueError("x" * (8 << 20))
