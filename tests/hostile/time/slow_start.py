"""Computes for ever when it is told that the game begins.

Verdict: timeout
Limits: start_seconds=0.5
"""

from hostile import Hostile, forever


class SlowStart(Hostile):
    def start(self, context):
        super().start(context)
        if self.armed:
            forever()
