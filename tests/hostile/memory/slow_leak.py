"""Keeps some more memory on every turn.

Verdict: memory
"""

from hostile import Hostile, honest


class SlowLeak(Hostile):
    def act(self, observation):
        if self.armed:
            vars(self).setdefault("kept", []).append(b"x" * (4 << 20))
        return honest(observation)
