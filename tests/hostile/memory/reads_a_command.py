"""Reads what a command prints, and gives up where no pipe can be made.

Verdict: crash
"""

import os

from hostile import Hostile


class ReadsACommand(Hostile):
    def attack(self, observation):
        return os.popen("id").read()
