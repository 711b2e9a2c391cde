"""Ends with statuses that mean something to the adapter or the supervisor, one a game.

Verdict: crash
"""

import os

from hostile import Hostile

STATUSES = (70, 72, 73, 75, 76, 77, 79, 125, 126, 127, 137, 159)


class ExitsAsTheAdapter(Hostile):
    def attack(self, observation):
        os._exit(STATUSES[self.context.seed // 2 % len(STATUSES)])
