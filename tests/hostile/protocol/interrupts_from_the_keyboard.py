"""Raises what a terminal's interrupt raises, which handlers of ordinary errors miss.

Verdict: crash
"""

from hostile import Hostile


class InterruptsFromTheKeyboard(Hostile):
    def attack(self, observation):
        raise KeyboardInterrupt
