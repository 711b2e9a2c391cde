"""Raises SystemExit with the status of a game that ended well.

Verdict: crash
"""

from hostile import Hostile


class LeavesThroughExit(Hostile):
    def attack(self, observation):
        raise SystemExit(0)
