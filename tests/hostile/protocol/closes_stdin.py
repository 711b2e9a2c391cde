"""Closes the pipe it is asked through.

Verdict: crash
"""

import os

from hostile import PROTOCOL_IN, Hostile


class ClosesStdin(Hostile):
    def attack(self, observation):
        os.close(PROTOCOL_IN)
