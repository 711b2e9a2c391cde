"""Unpacks a gigabyte from fifty kilobytes.

Verdict: memory
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import bz2

from hostile import Hostile

BOMB = bz2.compress(bytes(900_000)) * 1200


class Decompresses(Hostile):
    def attack(self, observation):
        return len(bz2.decompress(BOMB))
