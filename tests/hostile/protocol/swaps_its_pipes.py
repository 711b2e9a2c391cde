"""Puts its pipes at each other's numbers, and copies of them at all the rest.

Verdict: crash
"""

import os

from hostile import PROTOCOL_IN, PROTOCOL_OUT, Hostile


class SwapsItsPipes(Hostile):
    def attack(self, observation):
        for descriptor in range(5, 64):
            os.dup2(PROTOCOL_OUT, descriptor)
        os.dup2(PROTOCOL_IN, PROTOCOL_OUT)
