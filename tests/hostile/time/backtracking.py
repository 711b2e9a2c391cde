"""Lets a regular expression backtrack through more ways than there are atoms.

Verdict: timeout
"""

import re

from hostile import Hostile


class Backtracking(Hostile):
    def attack(self, observation):
        re.match("(a+)+$", "a" * 60 + "b")
