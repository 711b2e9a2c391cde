"""Starts another program with posix_spawn.

Verdict: forbidden
"""

import os

from hostile import Hostile


class PosixSpawn(Hostile):
    def attack(self, observation):
        os.posix_spawn("/usr/bin/python3", ["python3", "-c", "print(1)"], {})
