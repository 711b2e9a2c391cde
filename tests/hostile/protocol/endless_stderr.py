"""Prints eight mebibytes of binary data, of which only the ends are kept.

Verdict: contained
"""

import os

from hostile import Hostile


class EndlessStderr(Hostile):
    def attack(self, observation):
        for _ in range(128):
            os.write(2, bytes(range(256)) * 256)
