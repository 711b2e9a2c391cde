"""Deletes the built-in names that everything else is made of.

Verdict: crash
"""

import builtins

from hostile import Hostile


class DeletesBuiltins(Hostile):
    def attack(self, observation):
        vars(builtins).clear()
