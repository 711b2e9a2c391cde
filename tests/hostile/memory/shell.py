"""Runs a command in a shell.

Verdict: forbidden
"""

import os

from hostile import Hostile


class Shell(Hostile):
    def attack(self, observation):
        os.system("id")
