"""Writes every answer in two pieces, which are one line all the same.

Verdict: contained
"""

import os

from firebox import adapter
from hostile import PROTOCOL_OUT, Hostile, honest


class AnswerInPieces(Hostile):
    def act(self, observation):
        if self.armed:
            adapter.os = self
        return honest(observation)

    def write(self, descriptor, data):
        if descriptor == PROTOCOL_OUT:
            return os.write(descriptor, data[:20]) + os.write(descriptor, data[20:])
        return os.write(descriptor, data)

    def __getattr__(self, name):
        return getattr(os, name)
