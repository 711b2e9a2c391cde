"""Floods standard error after its last move, when nobody asks it any more.

Verdict: contained
"""

import os
from contextlib import suppress

from hostile import Hostile, honest


class LastFlood(Hostile):
    def start(self, context):
        super().start(context)
        self.left = 100

    def act(self, observation):
        left = observation.turns_left
        self.left = 100 if left is None else left - 1
        return honest(observation)

    def on_event(self, event):
        if self.armed and self.left <= 0:
            with suppress(OSError):
                while True:
                    os.write(2, b"\x1b[2Jagain " * 6000)
