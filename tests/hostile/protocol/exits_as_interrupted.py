"""Ends with the status of a process that was asked where it is.

Verdict: crash
"""

import os

from hostile import Hostile


class ExitsAsInterrupted(Hostile):
    def attack(self, observation):
        os._exit(74)
