"""Forks as often as it can and ignores every refusal.

Verdict: forbidden
"""

import contextlib
import os

from hostile import Hostile


class ForkBomb(Hostile):
    def attack(self, observation):
        while True:
            with contextlib.suppress(OSError):
                os.fork()
