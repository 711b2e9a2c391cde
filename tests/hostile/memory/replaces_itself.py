"""Replaces itself by a fresh interpreter without any of our code.

Verdict: forbidden
"""

import os

from hostile import Hostile


class ReplacesItself(Hostile):
    def attack(self, observation):
        os.execv("/usr/bin/python3", ["python3", "-c", "while True: pass"])
