"""Closes standard error, where it would have to explain itself.

Verdict: contained
"""

import os

from hostile import Hostile


class ClosesStderr(Hostile):
    def attack(self, observation):
        os.close(2)
