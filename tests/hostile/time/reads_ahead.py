"""Reads from the game's pipe past its adapter, and waits for what never comes.

Verdict: idle
"""

import os

from hostile import PROTOCOL_IN, Hostile


class ReadsAhead(Hostile):
    def attack(self, observation):
        os.read(PROTOCOL_IN, 1)
