"""Ends its lines as Windows does; that is white space, and no harm.

Verdict: contained
"""

import os

from firebox import adapter
from hostile import PROTOCOL_OUT, Hostile, honest


class CarriageReturns(Hostile):
    def act(self, observation):
        if self.armed:
            adapter.os = self
        return honest(observation)

    def write(self, descriptor, data):
        if descriptor == PROTOCOL_OUT:
            data = data.replace(b"\n", b"\r\n")
        return os.write(descriptor, data)

    def __getattr__(self, name):
        return getattr(os, name)
