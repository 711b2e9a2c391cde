"""Sends fields that nobody asked for, another seat and a score of its own among them.

Verdict: contained
"""

import os

from firebox import adapter
from hostile import PROTOCOL_OUT, Hostile, honest

EXTRA = b',"seat":1,"scores":[25,25],"ending":"perfect","record":{"fault":null}}\n'


class ExtraFields(Hostile):
    def act(self, observation):
        if self.armed:
            adapter.os = self
        return honest(observation)

    def write(self, descriptor, data):
        if descriptor == PROTOCOL_OUT:
            data = data[: data.rindex(b"}")] + EXTRA
        return os.write(descriptor, data)

    def __getattr__(self, name):
        return getattr(os, name)
