"""Answers its next turn before it is asked; that counts, for that turn alone, and gains nothing.

Verdict: contained
"""

import os

from firebox import adapter
from hostile import PROTOCOL_OUT, Hostile, honest

ANSWER = b'{"type":"action","turn":%d,"action":{"type":"discard","card":0}}\n'


class EarlyAnswer(Hostile):
    """Foresees what the kit plays: in seat 1, after the other's hint, a discard on every turn."""

    def start(self, context):
        super().start(context)
        self.early = self.silent = False

    def act(self, observation):
        self.turns += 1
        if self.armed and observation.seat == 1:
            adapter.os = self
            self.turn = observation.turn
            self.early, self.silent = self.turns == 3, self.early
        return honest(observation)

    def write(self, descriptor, data):
        if descriptor != PROTOCOL_OUT:
            return os.write(descriptor, data)
        if self.silent:
            return len(data)
        return os.write(descriptor, data + ANSWER % (self.turn + 2) * self.early)

    def __getattr__(self, name):
        return getattr(os, name)
