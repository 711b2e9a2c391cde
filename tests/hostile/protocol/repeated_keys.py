"""Gives every key of its answer twice; the last one counts.

Verdict: contained
"""

from firebox import adapter
from hostile import Hostile, honest


class RepeatedKeys(Hostile):
    encode = staticmethod(adapter._encode)

    def act(self, observation):
        if self.armed:
            adapter._encode = lambda action: '{"type":"swap","card":"x",' + self.encode(action)[1:]
        return honest(observation)
