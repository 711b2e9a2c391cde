"""Aborts, to leave a core dump with everything it was told.

Verdict: crash
"""

import os

from hostile import Hostile


class DumpsCore(Hostile):
    def attack(self, observation):
        os.abort()
