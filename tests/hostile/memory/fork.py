"""Forks.

Verdict: forbidden
"""

import os

from hostile import Hostile


class Fork(Hostile):
    def attack(self, observation):
        os.fork()
