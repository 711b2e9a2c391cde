"""Doubles a string until it no longer fits.

Verdict: memory
"""

from hostile import Hostile


class DoublesAString(Hostile):
    def attack(self, observation):
        text = "x"
        while True:
            text += text
