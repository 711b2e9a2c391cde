"""Computes for ever after the game, in its last event, its exit handlers and its finaliser.

Verdict: contained
"""

import atexit

from hostile import Hostile, forever, honest


class Lingers(Hostile):
    def start(self, context):
        super().start(context)
        self.left = 100
        if self.armed:
            atexit.register(forever)

    def act(self, observation):
        left = observation.turns_left
        self.left = 100 if left is None else left - 1
        return honest(observation)

    def on_event(self, event):
        if self.armed and self.left <= 0:
            forever()

    def __del__(self):
        if self.armed:
            forever()
