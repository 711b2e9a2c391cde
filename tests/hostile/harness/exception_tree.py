"""Raises an exception made of ten thousand others.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

from hostile import Hostile


class ExceptionTree(Hostile):
    def attack(self, observation):
        tree = ValueError("leaf")
        for depth in range(200):
            tree = ExceptionGroup(f"branch {depth}", [tree, *(ValueError(k) for k in range(50))])
        raise tree
