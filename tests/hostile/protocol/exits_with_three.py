"""Ends in the middle of the game with an exit status of its own.

Verdict: crash
"""

import os

from hostile import Hostile


class ExitsWithThree(Hostile):
    def attack(self, observation):
        os._exit(3)
