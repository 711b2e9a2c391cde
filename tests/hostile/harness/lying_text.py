"""Hints a colour that is equal to red, looks like red, and is not red.

Verdict: illegal
"""

from firebox.hanabi import Hint
from hostile import Hostile


class Lying(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("R")

    def __str__(self):
        return "R"

    __repr__ = __format__ = __str__


class LyingText(Hostile):
    def attack(self, observation):
        return Hint(1 - observation.seat, Lying("purple"))
